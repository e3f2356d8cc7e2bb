// Keys of an L1 data cache with split tags, and of fine or coarse accesses (TSC paper, section 3).
#pragma once
#include <vector>

#include "gen/config/key.h"

namespace gen {

void add_split_keys(std::vector<Key>& keys);

}  // namespace gen
