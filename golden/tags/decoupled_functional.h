// The untimed L1 data cache with decoupled sectored tags (Seznec, ISCA 1994; the DSC of the TSC paper).
#pragma once
#include "golden/cache/functional_l1d.h"

namespace golden {

std::unique_ptr<FunctionalL1d> make_functional_decoupled(const hw::L1dParams& params);

}  // namespace golden
