// The inner state of an L1 data cache as ports of the co-simulation's wrapper.
#pragma once
#include <vector>

#include "gen/cosim/probe.h"
#include "hw/l1d/l1d_params.h"

namespace gen {

// What verif::L1dStateView holds: the set that the input `state_set` names, and the MSHR file.
std::vector<ViewPort> l1d_view(const hw::L1dParams& p);

}  // namespace gen
