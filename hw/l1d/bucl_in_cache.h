// BUCL's update unit inside the L1 data cache that it watches (BUCL, section 4; docs/contracts/bucl.md).
#pragma once
#include "hw/l1d/monitors.h"

namespace hw {

class BuclInCache : public MonitorOfInputs {
 public:
  using MonitorOfInputs::MonitorOfInputs;
  void watch(rtl::Module& m, ProbeEvent& event) override;
};

}  // namespace hw
