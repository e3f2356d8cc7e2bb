// The controller of integrated adaptive cache management inside the L1 data cache (ACI thesis, section 4.2;
// docs/contracts/iacm.md).
#pragma once
#include "hw/l1d/monitors.h"

namespace hw {

class IacmInCache : public Monitor {
 public:
  explicit IacmInCache(const MonitorSocket& socket)
      : params_(socket.params), controls_(socket.controls), inputs_(socket.inputs) {}

  void watch(rtl::Module& m, ProbeEvent& event) override;

 private:
  const L1dParams& params_;
  const ControlPorts& controls_;
  const MonitorInputs& inputs_;
};

}  // namespace hw
