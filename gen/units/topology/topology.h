// The families of decoupled L1 caches for the commands: topologies, their nodes, and the parts of their
// networks.
#pragma once
#include "gen/units/unit_kind.h"
#include "hw/topology/topology_params.h"

namespace gen {

const UnitKind& home_unit();
const UnitKind& packetiser_unit();
const UnitKind& receiver_unit();
const UnitKind& crossing_unit();
const UnitKind& dc_l1_node_unit();
const UnitKind& topology_unit();

// A program that runs kernels on the golden model alone.
std::string golden_main(const hw::TopologyParams& p);
// The same in a system.
std::string system_main(const hw::TopologyParams& p);

}  // namespace gen
