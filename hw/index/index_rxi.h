// RXI, the XOR indexing reverse-engineered from a GTX470: 32 sets of 128-byte lines (ACI thesis,
// section 3.2.2).
#pragma once
#include "hw/index/linear_index.h"

namespace hw {
LinearIndex index_rxi(const IndexParams& p);
}
