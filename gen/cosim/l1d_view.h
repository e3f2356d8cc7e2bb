// The inner state of an L1 data cache as ports of the co-simulation's wrapper.
#pragma once
#include <string>
#include <vector>

#include "gen/cosim/probe.h"
#include "hw/l1d/l1d_params.h"

namespace gen {

// What verif::L1dStateView holds: the set that the input `state_set` names, and the MSHR file.
std::vector<ViewPort> l1d_view(const hw::L1dParams& p);

// Of a cache with split tags, without what its index has.
std::vector<ViewPort> l1d_split_view(const hw::L1dParams& p);

// With zeros above, so that 64 bits can be read from any bit of the value on.
ViewPort shown(const std::string& port, int width, const std::string& value);

// The entries that are awake.
std::string shown_wake(const hw::L1dParams& p);

}  // namespace gen
