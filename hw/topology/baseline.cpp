#include "hw/topology/baseline.h"

#include "hw/topology/networks.h"
#include "hw/topology/topology_parts.h"

namespace hw {
namespace {

HomeMap baseline_homes(const TopologyShape& s) {
  return {.slices = s.slices, .slices_a_home = s.slices, .outputs = s.slices};
}

TopologyPlan baseline_plan(const TopologyParams& p) {
  const TopologyShape& s = p.shape;
  TopologyPlan plan{.map = baseline_homes(s), .cache = p.l1d, .caches = "private caches"};
  const auto noc2 = towards_slices(p, {1, s.cores, s.slices}, memory_id_bits(plan.cache));
  plan.slice_id_bits = noc2->joined_id_bits();
  plan.fabrics = {noc2};
  PartGroup cores{.name = "core", .module = "core", .count = s.cores, .build = core_cache};
  join(cores, noc2->name(), 0, Side::asks, in_order(s.cores));
  plan.parts = {cores, slices_at(p, noc2->name(), 0)};
  return plan;
}

}  // namespace

const KindRow baseline{.kind = TopologyKind::baseline,
                       .name = "baseline",
                       .nodes = false,
                       .clusters = false,
                       .caches_in_nodes = false,
                       .check = [](const TopologyShape&) {},
                       .homes = baseline_homes,
                       .plan = baseline_plan};

}  // namespace hw
