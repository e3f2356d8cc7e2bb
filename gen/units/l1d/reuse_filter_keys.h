// Keys of an L1 data cache with a reuse-count filter (Decoupled L1D paper, section 4).
#pragma once
#include <vector>

#include "gen/config/key.h"

namespace gen {

void add_reuse_filter_keys(std::vector<Key>& keys);

}  // namespace gen
