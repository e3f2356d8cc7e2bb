// Static power of a mapped netlist, by the leakage of its cells.
#pragma once
#include <vector>

#include "gen/area/synthesis.h"
#include "gen/liberty/liberty.h"

namespace gen {

// nW of each result: of a cell the mean over the states for which the library states leakage, else the
// figure for all of them. 0 where the library has none. RAMs have no leakage here.
std::vector<double> leakages_nw(const std::vector<AreaResult>& results, const Liberty& liberty);

}  // namespace gen
