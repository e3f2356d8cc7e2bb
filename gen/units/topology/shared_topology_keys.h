// Keys of topologies of shared L1s: their organisation and controllers (DC-L1 thesis, chapter 4).
#pragma once
#include <string>
#include <vector>

#include "gen/config/key.h"

namespace gen {

// `kinds`: of topology, that have them.
std::vector<Key> shared_keys(const std::vector<std::string>& kinds);

std::vector<Key> controller_keys();

}  // namespace gen
