// Warp limiting: keys of the scheduler in front of a cache, and of the limiting unit (BUCL, section 4).
#pragma once
#include <vector>
#include "gen/config/key.h"

namespace gen {

// Of all units that limit warps.
KeyInfo limit_scope_key();
KeyInfo limit_warps_key();

// They leave the cache's Verilog as it is, but for the widths of a controller inside.
std::vector<Key> limit_keys_of_l1d();

}  // namespace gen
