// The controller of integrated adaptive cache management inside the L1 data cache (ACI thesis, section 4.2;
// docs/contracts/iacm.md).
#pragma once
#include "hw/l1d/monitors.h"

namespace hw {

class IacmInCache : public MonitorOfInputs {
 public:
  using MonitorOfInputs::MonitorOfInputs;

  // Of the warp limiter in front of the cache, too, which it may steer.
  static void check(const L1dParams& p);

  void watch(rtl::Module& m, ProbeEvent& event) override;
};

}  // namespace hw
