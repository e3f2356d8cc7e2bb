// Keys of decoupled L1 caches: topologies, their nodes, and the parts of their networks (DC-L1 thesis,
// chapter 5).
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& home_family();
const Family& packetiser_family();
const Family& receiver_family();
const Family& crossing_family();
const Family& dc_l1_node_family();
const Family& topology_family();

}  // namespace gen
