// BXI, bitwise XOR indexing: the two lowest groups of S block-address bits (ACI thesis, section 3.2.1).
#pragma once
#include "hw/index/linear_index.h"

namespace hw {
LinearIndex index_bxi(const IndexParams& p);
}
