// Keys of an L1 data cache with decoupled sectored tags (Seznec, ISCA 1994; the DSC of the TSC paper).
#pragma once
#include <vector>

#include "gen/config/key.h"

namespace gen {

void add_decoupled_keys(std::vector<Key>& keys);

}  // namespace gen
