// How many sets of a node's cache the addresses of its home reach: fewer than all where the index is made of
// bits that the home fixes (DC-L1 thesis, chapter 5).
#pragma once
#include <vector>

#include "hw/topology/topology_params.h"

namespace gen {

// Of each home; empty where every home reaches all sets, or where the index moves (adi).
std::vector<int> reachable_sets(const hw::TopologyParams& p);

}  // namespace gen
