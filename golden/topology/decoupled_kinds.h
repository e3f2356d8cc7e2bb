// Homes, caches and crossbars of the baseline, of DC-L1's nodes and of relays between two crossbars (DC-L1
// thesis, chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include "golden/topology/plan.h"

namespace golden::kinds {

constexpr HomeRule no_homes(const hw::TopologyShape& s) {
  return {.slices = s.slices, .slices_a_home = s.slices, .outputs = s.slices};
}
constexpr HomeRule of_private_nodes(const hw::TopologyShape& s) {
  HomeRule rule = no_homes(s);
  rule.cluster_cores = s.cores / s.nodes;
  return rule;
}
constexpr HomeRule of_shared_nodes(const hw::TopologyShape& s) {
  const bool divides = s.slices % s.nodes == 0;
  return {.slices = s.slices,
          .homes = s.nodes,
          .slices_a_home = divides ? s.slices / s.nodes : 0,
          .outputs = s.slices,
          .cluster_cores = s.cores,
          .cuts = s.nodes > 1};
}
constexpr HomeRule of_relays(const hw::TopologyShape& s) {
  const int homes = s.nodes / s.clusters;
  return {.slices = s.slices,
          .homes = homes,
          .slices_a_home = s.slices / homes,
          .outputs = s.slices / homes,
          .cluster_cores = s.cores / s.clusters};
}
constexpr HomeRule of_clusters(const hw::TopologyShape& s) {
  HomeRule rule = of_relays(s);
  rule.cuts = rule.homes > 1;
  return rule;
}

constexpr hw::L1dParams cores_cache(const hw::TopologyParams& p) { return p.l1d; }

template <HomeRule (*homes)(const hw::TopologyShape&)>
constexpr hw::L1dParams nodes_cache(const hw::TopologyParams& p) {
  const Home home(homes(p.shape), p.node.squeeze);
  hw::L1dParams cache = p.l1d;
  cache.capacity_bytes *= p.shape.cores / p.shape.nodes;
  cache.mshr_entries *= p.shape.cores / p.shape.nodes;
  cache.core_id_bits += bits_for(home.rule().cluster_cores);
  cache.bypass.sources = home.rule().cluster_cores;
  cache.address_bits -= home.field().bits;
  cache.check = {};  // parts check what comes
  return cache;
}

// NoC#1 before NoC#2, in each the requests before the replies. Boost doubles the rate of NoC#1: where
// networks move in one of several cycles, it needs no other clock.
constexpr CrossbarsPlan noc1(const hw::TopologyParams& p, const HomeRule& rule) {
  CrossbarsPlan plan{
      .crossbars = p.shape.cores / rule.cluster_cores, .inputs = rule.cluster_cores, .outputs = rule.homes};
  plan.cycles = p.clock_ratio;
  if (p.boost && p.clock_ratio == 1) plan.fast = true;
  if (p.boost && p.clock_ratio != 1) plan.cycles /= 2;
  return plan;
}
constexpr CrossbarsPlan noc2(const hw::TopologyParams& p, const HomeRule& rule, int senders) {
  const int crossbars = p.shape.slices / rule.outputs;
  CrossbarsPlan plan{.crossbars = crossbars, .inputs = senders / crossbars, .outputs = rule.outputs};
  plan.cycles = p.clock_ratio;
  return plan;
}

constexpr NetworkPlans baseline_networks(const hw::TopologyParams& p) {
  NetworkPlans plans;
  CrossbarsPlan second = noc2(p, no_homes(p.shape), p.shape.cores);
  second.id_bits = golden::memory_id_bits(p.l1d);
  add_both(plans, p, second);
  return plans;
}

template <HomeRule (*homes)(const hw::TopologyShape&)>
constexpr NetworkPlans node_networks(const hw::TopologyParams& p) {
  NetworkPlans plans;
  CrossbarsPlan first = noc1(p, homes(p.shape)), second = noc2(p, homes(p.shape), p.shape.nodes);
  first.id_bits = p.l1d.core_id_bits;
  first.sectoring = p.node.sectoring;
  first.sideband = hw::packed_sideband_bits(p.l1d);
  second.id_bits = golden::memory_id_bits(nodes_cache<homes>(p));
  add_both(plans, p, first);
  add_both(plans, p, second);
  return plans;
}

constexpr NetworkPlans relay_networks(const hw::TopologyParams& p) {
  NetworkPlans plans;
  CrossbarsPlan first = noc1(p, of_relays(p.shape)), second = noc2(p, of_relays(p.shape), p.shape.nodes);
  first.id_bits = golden::memory_id_bits(p.l1d);
  second.id_bits = first.id_bits + bits_for(first.inputs);
  add_both(plans, p, first);
  add_both(plans, p, second);
  return plans;
}

}  // namespace golden::kinds
