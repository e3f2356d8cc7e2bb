// MRPB's bypass (Jia, Shaw and Martonosi, HPCA 2014, as BUCL takes it over in section 4): a load that finds
// nothing to reserve asks memory for itself rather than wait.
#pragma once
#include "hw/policy/policy.h"

namespace hw {

class Mrpb : public Policy {
 public:
  rtl::Condition instead_of_fail(rtl::Module&, const ProbeStage&) override;
};

}  // namespace hw
