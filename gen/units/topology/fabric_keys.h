// Keys of what joins cores that share their L1s: meshes or butterflies (DC-L1 thesis, chapter 4).
#pragma once
#include <vector>

#include "gen/config/key.h"

namespace gen {

// They count with one of the values of another key.
void add_fabrics(std::vector<Key>& keys, const decltype(KeyInfo::only_with)& only_with);

}  // namespace gen
