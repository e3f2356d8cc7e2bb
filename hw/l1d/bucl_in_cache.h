// BUCL's update unit inside the L1 data cache that it watches (BUCL, section 4; docs/contracts/bucl.md).
#pragma once
#include "hw/l1d/monitors.h"

namespace hw {

class BuclInCache : public Monitor {
 public:
  explicit BuclInCache(const MonitorSocket& socket)
      : params_(socket.params), controls_(socket.controls), inputs_(socket.inputs) {}

  void watch(rtl::Module& m, ProbeEvent& event) override;

 private:
  const L1dParams& params_;
  const ControlPorts& controls_;
  const MonitorInputs& inputs_;
};

}  // namespace hw
