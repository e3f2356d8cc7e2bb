// LIN, any GF(2) matrix: the user lists the address bits of each index bit.
#pragma once
#include "hw/index/linear_index.h"

namespace hw {

LinearIndex index_lin(const IndexParams& p);

// Throws ParamError when a tap lies outside the block address, or when the square part over the low S
// block-address bits is singular: two blocks could then share set and tag.
void check_lin(const IndexParams& p);

}  // namespace hw
