// PLI, polynomial modulus indexing: the remainder of the block address by P(x) over GF(2) (ACI thesis,
// section 3.2.3).
#pragma once
#include "hw/index/linear_index.h"

namespace hw {

LinearIndex index_pli(const IndexParams& p);

// Throws ParamError when the polynomial's degree is not S, or when it is reducible and that is not allowed.
void check_pli(const IndexParams& p);

}  // namespace hw
