// A program that runs kernels on the golden model of a topology in a system, for `explore --system`.
#pragma once
#include <memory>

#include "cosim/noc/topology_system.h"
#include "golden/topology/topology.h"

namespace verif {

// `make` makes the topology with networks of that ratio to the core's clock. argv[1] names an options file,
// which has beside those of a co-simulation the numbers of the `system`, the `hit_delay` of its L1s, and
// where `system_report` goes.
int topology_in_system(int argc, char** argv, const hw::TopologyParams& params,
                       std::unique_ptr<golden::Topology> (*make)(int ratio));

}  // namespace verif
