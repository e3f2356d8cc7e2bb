// The candidate with the smallest count.
#pragma once
#include "hw/rtl/module.h"

namespace hw {

// Adds wire `name` to `m`, and an instance that drives it: of the counts, one after the other in `counts`,
// the smallest `candidates`, one-hot; of equal ones the lowest.
rtl::Expr least_of(rtl::Module& m, const std::string& name, const rtl::Expr& counts,
                   const rtl::Expr& candidates, const std::string& doc);

}  // namespace hw
