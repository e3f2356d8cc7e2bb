#include "hw/topology/nodes.h"

#include <fmt/format.h>

#include <bit>

#include "hw/require.h"
#include "hw/topology/kinds.h"
#include "hw/topology/networks.h"
#include "hw/topology/topology.h"
#include "hw/topology/topology_parts.h"

namespace hw {
namespace {

constexpr int most = 128;  // nodes, slices or clusters

bool nodes_divide(const TopologyShape& s) { return s.nodes >= 1 && s.cores % s.nodes == 0; }
bool shares_fit(const TopologyShape& s) {
  return std::has_single_bit(static_cast<unsigned>(s.cores / s.nodes));
}
bool clusters_divide(const TopologyShape& s) { return s.clusters >= 1 && s.nodes % s.clusters == 0; }
bool slices_fit(const TopologyShape& s) { return s.slices % (s.nodes / s.clusters) == 0; }

bool fits(const TopologyShape& s) {
  return nodes_divide(s) && shares_fit(s) &&
         (!kind_of(s.kind).clusters || (clusters_divide(s) && slices_fit(s)));
}

// The nearest value of one size that fits all others, of two the larger.
std::string remedy(const TopologyShape& s, int TopologyShape::*size) {
  for (int away = 0; away <= most; ++away)
    for (const int sign : {1, -1}) {
      TopologyShape other = s;
      other.*size += sign * away;
      if (other.*size >= 1 && other.*size <= most && fits(other)) return fmt::format("use {}", other.*size);
    }
  return "no other value fits either: change topology.cores, .nodes, .clusters or .slices with it";
}

void check_nodes(const TopologyShape& s) {
  if (!nodes_divide(s))
    require(false, "topology.nodes", s.nodes, fmt::format("must divide the {} cores", s.cores),
            remedy(s, &TopologyShape::nodes));
  if (!shares_fit(s))
    require(false, "topology.nodes", s.nodes,
            fmt::format("gives each node {} cores, and only powers of two are built", s.cores / s.nodes),
            remedy(s, &TopologyShape::nodes));
}

HomeMap one_home(const TopologyShape& s) {
  return {.slices = s.slices, .slices_a_home = s.slices, .outputs = s.slices};
}

HomeMap all_homes(const TopologyShape& s) {
  const bool by_address = s.slices % s.nodes != 0;
  return with_field({.slices = s.slices,
                     .homes = s.nodes,
                     .slices_a_home = by_address ? 1 : s.slices / s.nodes,
                     .by_address = by_address,
                     .outputs = s.slices});
}

// Nodes in `clusters`, each of which has a crossbar to its nodes.
TopologyPlan nodes_plan(const TopologyParams& p, int clusters) {
  const TopologyShape& s = p.shape;
  TopologyPlan plan{.map = home_map(s),
                    .cache = p.l1d,
                    .caches = fmt::format("{} nodes", s.nodes),
                    .queued_messages = 4 * p.node.queue,
                    .hit_latency = p.boost ? 8 : 9};
  const auto noc1 = towards_nodes(p, {clusters, s.cores / clusters, plan.map.homes}, p.l1d.core_id_bits,
                                  p.node.sectoring, packed_sideband_bits(p.l1d));
  const int cut = squeezed_bits(p);
  plan.cache.capacity_bytes *= cores_a_cache(p);
  plan.cache.mshr_entries *= cores_a_cache(p);
  plan.cache.address_bits -= cut;
  plan.cache.core_id_bits = noc1->joined_id_bits();
  plan.cache.bypass.sources = s.cores / clusters;
  plan.cache.check = {};  // the parts check what comes
  const int crossbars = s.slices / plan.map.outputs;
  const auto noc2 =
      towards_slices(p, {crossbars, s.nodes / crossbars, plan.map.outputs}, memory_id_bits(plan.cache));
  plan.slice_id_bits = noc2->joined_id_bits();
  plan.fabrics = {noc1, noc2};
  plan.node_cycles = noc1->cycles();

  PartGroup cores{.name = "core", .module = "core", .count = s.cores, .build = core_port};
  join(cores, noc1->name(), 0, Side::asks, in_order(s.cores));
  const DcL1NodeParams node{.l1d = plan.cache,
                            .queue = p.node.queue,
                            .home_low = cut ? plan.map.field_low : 0,
                            .home_bits = cut,
                            .boost = noc1->fast()};
  PartGroup nodes{.name = "node", .module = "node", .count = s.nodes, .build = [node](const PartSite& site) {
                    return node_port(site, node);
                  }};
  join(nodes, noc1->name(), 0, Side::answers, in_order(s.nodes));
  join(nodes, noc2->name(), 1, Side::asks, in_turn(*noc2, s.nodes));
  if (cut) nodes.ties.push_back({"home", cut, repeating(s.nodes, plan.map.homes)});
  plan.parts = {cores, nodes, slices_at(p, noc2->name(), 1)};
  return plan;
}

}  // namespace

void check_clusters(const TopologyShape& s) {
  check_nodes(s);
  if (!clusters_divide(s))
    require(false, "topology.clusters", s.clusters, fmt::format("must divide the {} nodes", s.nodes),
            remedy(s, &TopologyShape::clusters));
  if (!slices_fit(s))
    require(false, "topology.slices", s.slices,
            fmt::format("must be a multiple of the {} nodes of a cluster", s.nodes / s.clusters),
            remedy(s, &TopologyShape::slices));
}

HomeMap cluster_homes(const TopologyShape& s) {
  const int homes = s.nodes / s.clusters, slices_a_home = s.slices / homes;
  return with_field(
      {.slices = s.slices, .homes = homes, .slices_a_home = slices_a_home, .outputs = slices_a_home});
}

const KindRow private_nodes{.kind = TopologyKind::private_nodes,
                            .name = "private_nodes",
                            .nodes = true,
                            .clusters = false,
                            .caches_in_nodes = true,
                            .check = check_nodes,
                            .homes = one_home,
                            .plan = [](const TopologyParams& p) { return nodes_plan(p, p.shape.nodes); }};

const KindRow shared_nodes{.kind = TopologyKind::shared_nodes,
                           .name = "shared_nodes",
                           .nodes = true,
                           .clusters = false,
                           .caches_in_nodes = true,
                           .check = check_nodes,
                           .homes = all_homes,
                           .plan = [](const TopologyParams& p) { return nodes_plan(p, 1); }};

const KindRow clustered{.kind = TopologyKind::clustered,
                        .name = "clustered",
                        .nodes = true,
                        .clusters = true,
                        .caches_in_nodes = true,
                        .check = check_clusters,
                        .homes = cluster_homes,
                        .plan = [](const TopologyParams& p) { return nodes_plan(p, p.shape.clusters); }};

}  // namespace hw
