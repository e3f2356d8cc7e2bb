// Programs that run the golden model of a topology, which is compiled for its parameters.
#pragma once
#include <string>

#include "hw/topology/topology_params.h"

namespace gen {

// It runs kernels on the golden model alone.
std::string golden_main(const hw::TopologyParams& p);

// The same in a system.
std::string system_main(const hw::TopologyParams& p);

}  // namespace gen
