// PRI, prime modulo indexing: the block address modulo the largest prime not above the number of sets
// (ACI thesis, section 3.2.4).
#pragma once
#include "hw/index/index_unit.h"

namespace hw {
IndexUnit index_pri(const IndexParams& p, const std::string& name);
}
