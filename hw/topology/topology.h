// Topologies of L1 caches and their networks, built from plans: private caches behind one crossbar, DC-L1
// nodes behind NoC#1 and NoC#2, hierarchical crossbars (DC-L1 thesis, chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include <string>

#include "hw/l1d/l1d.h"
#include "hw/topology/plan.h"

namespace hw {

struct Topology {
  rtl::Module module;
  TopologyPlan plan;
  L1dFacts cache;
};

// Throws ParamError when no topology can be built from the parameters.
void check(const TopologyParams& p);

// Address bits that the caches do not get.
int squeezed_bits(const TopologyParams& p);
// What a cache's share is multiplied by: X/Y with nodes, else 1.
int cores_a_cache(const TopologyParams& p);

TopologyPlan plan_of(const TopologyParams& p);

// Checks the parameters and builds the topology as module `top`, its parts as `top`_<part>. Instances:
// `cores[c].core_part`, `nodes[n].node_part`, `slices[s].slice_part`, and each network by its name; inside
// them the names of docs/contracts/dc-l1.md.
Topology dc_l1(const TopologyParams& p, const std::string& top);

}  // namespace hw
