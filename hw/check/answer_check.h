// A check of the memory of an L1 data cache: each response belongs to a request in flight, and comes in time
// (docs/contracts/protocol-checks.md).
#pragma once
#include <string>

#include "hw/l1d/l1d_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Rows of the RAM of masks, and flops that say which requests are in flight.
int checked_ids(const L1dParams& p);
int checked_flops(const L1dParams& p);

rtl::Module answer_check(const L1dParams& p, const std::string& name);

}  // namespace hw
