// The untimed L1 data cache with split tags (TSC and TSC+, section 3 of the paper).
#pragma once
#include "golden/cache/functional_l1d.h"

namespace golden {

std::unique_ptr<FunctionalL1d> make_functional_split(const hw::L1dParams& params);

}  // namespace golden
