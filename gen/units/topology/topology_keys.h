// Keys of topologies of L1 caches (DC-L1 thesis, chapters 3 to 5).
#pragma once
#include <vector>

#include "gen/config/key.h"

namespace gen {

std::vector<Key> topology_keys();

}  // namespace gen
