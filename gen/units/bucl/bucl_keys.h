// Keys of BUCL, the bypass for un-coalesced loads, in a cache and of its update unit alone (BUCL, section 4).
#pragma once
#include "gen/config/family.h"

namespace gen {

// Those of a cache, which count with bypass.kind = "bucl".
std::vector<Key> bucl_keys_of_l1d();

const Family& bucl_threshold_family();

}  // namespace gen
