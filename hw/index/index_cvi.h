// CVI, conventional indexing: the low bits of the block address (ACI thesis, section 3.2).
#pragma once
#include "hw/index/linear_index.h"

namespace hw {
LinearIndex index_cvi(const IndexParams& p);
}
