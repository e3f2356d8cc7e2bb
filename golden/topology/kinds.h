// The kinds of golden topologies: each is a row of functions that say which slice and node an address belongs
// to, what its caches are, and what networks and parts it has.
#pragma once
#include "golden/topology/decoupled_kinds.h"
#include "golden/topology/remote_kinds.h"
#include "golden/topology/shared_kinds.h"
#include "hw/topology/home_params.h"

namespace golden {

class FunctionalTopology;

struct Kind {
  hw::TopologyKind kind;
  bool nodes;            // has nodes, or relays instead
  bool clusters;         // and these in clusters
  bool caches_in_nodes;  // else at the cores
  HomeRule (*homes)(const hw::TopologyShape&);
  hw::L1dParams (*cache)(const hw::TopologyParams&);  // as it is built
  NetworkPlans (*networks)(const hw::TopologyParams&);
  std::vector<PartPlan> (*parts)(const hw::TopologyParams&);
  std::unique_ptr<FunctionalTopology> (*untimed)(const hw::TopologyParams&);
};

// The parts of each kind, cores first.
std::vector<PartPlan> baseline_parts(const hw::TopologyParams& p);
std::vector<PartPlan> node_parts(const hw::TopologyParams& p);
std::vector<PartPlan> relay_parts(const hw::TopologyParams& p);
std::vector<PartPlan> shared_parts(const hw::TopologyParams& p);
std::vector<PartPlan> remote_parts(const hw::TopologyParams& p);
std::unique_ptr<FunctionalTopology> untimed_nodes(const hw::TopologyParams& p);
std::unique_ptr<FunctionalTopology> untimed_shared(const hw::TopologyParams& p);
std::unique_ptr<FunctionalTopology> untimed_remote(const hw::TopologyParams& p);

namespace kinds {

// In the order of the enumeration.
inline constexpr std::array all{
    Kind{.kind = hw::TopologyKind::baseline,
         .nodes = false,
         .clusters = false,
         .caches_in_nodes = false,
         .homes = no_homes,
         .cache = cores_cache,
         .networks = baseline_networks,
         .parts = baseline_parts,
         .untimed = untimed_nodes},
    Kind{.kind = hw::TopologyKind::private_nodes,
         .nodes = true,
         .clusters = false,
         .caches_in_nodes = true,
         .homes = of_private_nodes,
         .cache = nodes_cache<of_private_nodes>,
         .networks = node_networks<of_private_nodes>,
         .parts = node_parts,
         .untimed = untimed_nodes},
    Kind{.kind = hw::TopologyKind::shared_nodes,
         .nodes = true,
         .clusters = false,
         .caches_in_nodes = true,
         .homes = of_shared_nodes,
         .cache = nodes_cache<of_shared_nodes>,
         .networks = node_networks<of_shared_nodes>,
         .parts = node_parts,
         .untimed = untimed_nodes},
    Kind{.kind = hw::TopologyKind::clustered,
         .nodes = true,
         .clusters = true,
         .caches_in_nodes = true,
         .homes = of_clusters,
         .cache = nodes_cache<of_clusters>,
         .networks = node_networks<of_clusters>,
         .parts = node_parts,
         .untimed = untimed_nodes},
    Kind{.kind = hw::TopologyKind::cdxbar,
         .nodes = true,
         .clusters = true,
         .caches_in_nodes = false,
         .homes = of_relays,
         .cache = cores_cache,
         .networks = relay_networks,
         .parts = relay_parts,
         .untimed = untimed_nodes},
    Kind{.kind = hw::TopologyKind::shared,
         .nodes = false,
         .clusters = false,
         .caches_in_nodes = false,
         .homes = no_homes,
         .cache = shared_cache,
         .networks = shared_networks,
         .parts = shared_parts,
         .untimed = untimed_shared},
    Kind{.kind = hw::TopologyKind::remote,
         .nodes = false,
         .clusters = false,
         .caches_in_nodes = false,
         .homes = no_homes,
         .cache = remote_cache,
         .networks = remote_networks,
         .parts = remote_parts,
         .untimed = untimed_remote},
};

}  // namespace kinds

constexpr const Kind& kind_of(const hw::TopologyShape& s) {
  return kinds::all[static_cast<std::size_t>(s.kind)];
}
constexpr Home home_of(const hw::TopologyShape& s, bool squeeze) { return {kind_of(s).homes(s), squeeze}; }
constexpr Home home_of(const hw::TopologyParams& p) { return home_of(p.shape, p.node.squeeze); }
constexpr Home home_of(const hw::HomeParams& p) { return home_of(p.shape, p.squeeze); }

// A cache as it is built, at a core or in a node, and how many there are.
constexpr hw::L1dParams cache_params(const hw::TopologyParams& p) { return kind_of(p.shape).cache(p); }
constexpr int caches_of(const hw::TopologyShape& s) { return kind_of(s).caches_in_nodes ? s.nodes : s.cores; }

// Caches whose numbers differ modulo this hold different lines.
constexpr int distinct_caches(const hw::TopologyParams& p) {
  return kind_of(p.shape).caches_in_nodes ? home_of(p).rule().homes : 1;
}
// Some network moves at edges of the fast clock too.
constexpr bool has_fast_clock(const hw::TopologyParams& p) {
  const NetworkPlans networks = kind_of(p.shape).networks(p);
  return std::ranges::any_of(networks.plans, &NetworkPlan::fast);
}

// NoC#1 moves twice as often as NoC#2.
constexpr bool is_boosted(const hw::TopologyParams& p) { return kind_of(p.shape).nodes && p.boost; }

}  // namespace golden
