// The untimed L1 data cache with conventional or sectored tags, without a policy or with MRPB's bypass, as
// loops of their own for the usual ways.
#pragma once
#include "golden/cache/functional_l1d.h"

namespace golden {

std::unique_ptr<FunctionalL1d> make_functional_ways(const hw::L1dParams& params);

}  // namespace golden
