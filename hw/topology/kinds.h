// The kinds of topology: each is a row of functions that check its sizes, say which slice and node an address
// belongs to, and make its plan.
#pragma once
#include <span>

#include "hw/topology/plan.h"

namespace hw {

struct KindRow {
  TopologyKind kind;
  const char* name;      // of topology.kind, and of the enumerator
  bool nodes;            // has nodes, or relays instead, behind a network of their own
  bool clusters;         // and these in clusters
  bool caches_in_nodes;  // else at the cores
  bool meshed = false;   // cores are nodes of a network, a mesh or a butterfly; else crossbars join all
  bool shares = false;   // and share their L1s
  // Throws ParamError when the sizes do not fit together.
  void (*check)(const TopologyShape&);
  // Of caches as cores have them, before the kind's own; and of all else.
  void (*check_caches)(const TopologyParams&) = [](const TopologyParams&) {};
  void (*check_parts)(const TopologyParams&) = [](const TopologyParams&) {};
  HomeMap (*homes)(const TopologyShape&);
  TopologyPlan (*plan)(const TopologyParams&);
};

// In the order of the enumeration.
std::span<const KindRow* const> topology_kinds();
const KindRow& kind_of(TopologyKind kind);

}  // namespace hw
