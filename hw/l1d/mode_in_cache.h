// The selector between fine and coarse accesses inside the L1 data cache (TSC paper, section 3, TSC+).
#pragma once
#include "hw/l1d/monitors.h"
#include "hw/monitors/mode_selector_params.h"

namespace hw {

// The selector of a cache whose accesses are fine or coarse.
ModeSelectorParams selector_params(const L1dParams& p);

class ModeInCache : public Monitor {
 public:
  explicit ModeInCache(const MonitorSocket& socket)
      : params_(socket.params), mode_coarse_(socket.controls["mode_coarse"]) {}

  static void check(const L1dParams& p);

  void watch(rtl::Module& m, ProbeEvent& event) override;

 private:
  const L1dParams& params_;
  const rtl::Expr mode_coarse_;
};

}  // namespace hw
