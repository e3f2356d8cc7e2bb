// The adaptive-indexing monitor inside the L1 data cache (ACI thesis, section 3.3;
// docs/contracts/l1d-adaptive.md).
#pragma once
#include "hw/l1d/monitors.h"
#include "hw/monitors/adi_monitor_params.h"

namespace hw {

// The monitor of a cache with the adaptive index.
AdiMonitorParams monitor_params(const L1dParams& p);

class AdiInCache : public Monitor {
 public:
  explicit AdiInCache(const MonitorSocket& socket)
      : params_(socket.params), controls_(socket.controls), index_(socket.index) {}

  static void check(const L1dParams& p);

  bool moves_index() const override { return true; }
  void watch(rtl::Module& m, ProbeEvent& event) override;

 private:
  const L1dParams& params_;
  const ControlPorts& controls_;
  IndexSocket& index_;
};

}  // namespace hw
