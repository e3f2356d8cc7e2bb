// Topologies of L1 caches and their networks: private caches behind one crossbar, DC-L1 nodes behind NoC#1
// and NoC#2, hierarchical crossbars (DC-L1 thesis, chapter 5; docs/dc-l1-timing.md).
#pragma once
#include <string>
#include <vector>

#include "hw/l1d/l1d.h"
#include "hw/packet/packet.h"
#include "hw/topology/dc_l1_node_params.h"
#include "hw/topology/home.h"

namespace hw {

// What follows from the parameters.
struct TopologyPlan {
  HomeMap map;
  DcL1NodeParams node;   // kinds with nodes
  L1dParams cache;       // the cache as built, at a node or at a core
  int noc1_id_bits = 0;  // ids that travel
  int noc2_id_bits = 0;
  int slice_id_bits = 0;                        // ids at the slices
  PacketParams core_requests, node_replies;     // packetisers at the ends of NoC#1
  PacketParams node_requests, core_replies;     // receivers there
  PacketParams memory_requests, slice_replies;  // packetisers at the ends of NoC#2
  PacketParams slice_requests, memory_replies;  // receivers there
  CrossbarParams noc1_requests, noc1_replies, noc2_requests, noc2_replies;
};

struct Topology {
  rtl::Module module;
  TopologyPlan plan;
  L1dFacts cache;
};

// Throws ParamError when no topology can be built from the parameters.
void check(const TopologyParams& p);

// Address bits that the caches do not get, and those that they get.
int squeezed_bits(const TopologyParams& p);
// What a cache's share is multiplied by: X/Y with nodes, else 1.
int cores_a_cache(const TopologyParams& p);

TopologyPlan plan_of(const TopologyParams& p);

// Checks the parameters and builds the topology as module `top`, its parts as `top`_<part>. Instances:
// `core<c>`, `node<n>`, `slice<s>`, `noc1_requests<i>`, `noc1_replies<i>`, `noc2_requests<i>`,
// `noc2_replies<i>`; inside them the names of docs/dc-l1-timing.md.
Topology dc_l1(const TopologyParams& p, const std::string& top);

}  // namespace hw
