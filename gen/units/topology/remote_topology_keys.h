// Keys of topologies of remote-core probing (DC-L1 thesis, chapter 3).
#pragma once
#include <vector>

#include "gen/config/key.h"

namespace gen {

std::vector<Key> remote_keys();

}  // namespace gen
