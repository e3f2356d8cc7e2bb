#include "hw/topology/cdxbar.h"

#include "hw/topology/networks.h"
#include "hw/topology/nodes.h"
#include "hw/topology/topology_parts.h"

namespace hw {
namespace {

TopologyPlan cdxbar_plan(const TopologyParams& p) {
  const TopologyShape& s = p.shape;
  TopologyPlan plan{.map = cluster_homes(s), .cache = p.l1d, .caches = "private caches"};
  const auto noc1 = towards_nodes(p, {s.clusters, s.cores / s.clusters, plan.map.homes},
                                  memory_id_bits(plan.cache), true, {});
  const auto noc2 = towards_slices(p, {plan.map.homes, s.clusters, plan.map.outputs}, noc1->joined_id_bits());
  plan.slice_id_bits = noc2->joined_id_bits();
  plan.fabrics = {noc1, noc2};
  PartGroup cores{.name = "core", .module = "core", .count = s.cores, .build = core_cache};
  join(cores, noc1->name(), 0, Side::asks, in_order(s.cores));
  PartGroup relays{.name = "node", .module = "relay", .count = s.nodes, .build = relay};
  join(relays, noc1->name(), 0, Side::answers, in_order(s.nodes));
  join(relays, noc2->name(), 1, Side::asks, in_turn(*noc2, s.nodes));
  plan.parts = {cores, relays, slices_at(p, noc2->name(), 1)};
  return plan;
}

}  // namespace

const KindRow cdxbar{.kind = TopologyKind::cdxbar,
                     .name = "cdxbar",
                     .nodes = true,
                     .clusters = true,
                     .caches_in_nodes = false,
                     .check = check_clusters,
                     .homes = cluster_homes,
                     .plan = cdxbar_plan};

}  // namespace hw
