// Keys of integrated adaptive cache management (ACI thesis, section 4).
#pragma once
#include "gen/config/family.h"

namespace gen {

// Of the controller inside a cache: its scope and warps are those of the cache's limit.
std::vector<Key> iacm_keys_of_l1d();

const Family& iacm_family();

}  // namespace gen
