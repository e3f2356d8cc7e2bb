// MRPB's bypass (Jia, Shaw and Martonosi, HPCA 2014, as BUCL takes it over in section 4): a load that finds
// nothing to reserve asks memory for itself rather than wait.
#pragma once
#include "hw/policy/policy.h"

namespace hw {

class Mrpb : public Policy {
 public:
  rtl::Expr instead_of_fail(rtl::Module& m, const ProbeStage& probe,
                            const std::function<rtl::Expr()>& fails) override;
};

}  // namespace hw
