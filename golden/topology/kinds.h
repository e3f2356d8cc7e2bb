// The kinds of golden topologies: each is a row of functions that say which slice and node an address belongs
// to, what its caches are, and what networks and parts it has (DC-L1 thesis, chapter 5;
// docs/contracts/dc-l1.md).
#pragma once
#include "golden/topology/plan.h"
#include "hw/remote/remote_node_params.h"
#include "hw/shared/marks_params.h"
#include "hw/topology/dc_l1_node_params.h"
#include "hw/topology/home_params.h"

namespace golden {

class FunctionalTopology;

struct Kind {
  hw::TopologyKind kind;
  bool nodes;            // has nodes, or relays in their places
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
  cache.bypass.bucl.sources = home.rule().cluster_cores;
  cache.address_bits -= home.field().bits;
  return cache;
}

// By which cores know each other: nodes of a mesh, ports of a butterfly.
constexpr int shared_nodes(const hw::TopologyParams& p) {
  return p.shared.fabric == hw::SharedFabric::mesh ? hw::nodes_of(p.mesh) : hw::ports_of(p.butterfly);
}

// The L1 of a shared kind: {served, core's node, id} as ids, and failed requests told.
constexpr hw::L1dParams shared_cache(const hw::TopologyParams& p) {
  hw::L1dParams cache = p.l1d;
  cache.core_id_bits += 1 + bits_for(shared_nodes(p)) + hw::mark_bits(p.shared);
  cache.counters = true;
  cache.drops = hw::has_drops(p.shared);
  cache.leftovers = hw::has_leftovers(p.shared);
  return cache;
}

// NoC#1 before NoC#2, in each the requests before the replies.
constexpr CrossbarsPlan noc1(const hw::TopologyParams& p, const HomeRule& rule) {
  return {.crossbars = p.shape.cores / rule.cluster_cores,
          .inputs = rule.cluster_cores,
          .outputs = rule.homes,
          .fast = p.boost};
}
constexpr CrossbarsPlan noc2(const hw::TopologyShape& s, const HomeRule& rule, int senders) {
  const int crossbars = s.slices / rule.outputs;
  return {.crossbars = crossbars, .inputs = senders / crossbars, .outputs = rule.outputs};
}

constexpr NetworkPlans baseline_networks(const hw::TopologyParams& p) {
  NetworkPlans plans;
  CrossbarsPlan second = noc2(p.shape, no_homes(p.shape), p.shape.cores);
  second.id_bits = memory_id_bits(p.l1d);
  add_both(plans, p, second);
  return plans;
}

template <HomeRule (*homes)(const hw::TopologyShape&)>
constexpr NetworkPlans node_networks(const hw::TopologyParams& p) {
  NetworkPlans plans;
  CrossbarsPlan first = noc1(p, homes(p.shape)), second = noc2(p.shape, homes(p.shape), p.shape.nodes);
  first.id_bits = p.l1d.core_id_bits;
  first.sectoring = p.node.sectoring;
  first.degrees = hw::reads_degrees(p.l1d.bypass);
  second.id_bits = memory_id_bits(nodes_cache<homes>(p));
  add_both(plans, p, first);
  add_both(plans, p, second);
  return plans;
}

constexpr NetworkPlans relay_networks(const hw::TopologyParams& p) {
  NetworkPlans plans;
  CrossbarsPlan first = noc1(p, of_relays(p.shape)),
                second = noc2(p.shape, of_relays(p.shape), p.shape.nodes);
  first.id_bits = memory_id_bits(p.l1d);
  second.id_bits = first.id_bits + bits_for(first.inputs);
  add_both(plans, p, first);
  add_both(plans, p, second);
  return plans;
}

constexpr hw::PacketParams shared_packets(const hw::TopologyParams& p, hw::Network network, int id_bits,
                                          int vcs) {
  return {.network = network,
          .address_bits = p.l1d.address_bits,
          .line_bytes = p.l1d.line_bytes,
          .chunk_bytes = p.l1d.chunk_bytes,
          .flit_bytes = p.flit_bytes,
          .id_bits = id_bits,
          .ports = shared_nodes(p),
          .vcs = vcs,
          .vc_depth = p.mesh.vc_flits,
          .vc_select = hw::VcSelect::line,
          .sectoring = p.shared.chunk};
}
constexpr NetworkPlan shared_mesh(const hw::TopologyParams& p, hw::Network network, int first_bits,
                                  int second_bits) {
  const int vcs = p.mesh.vcs / 2;
  NetworkPlan plan{
      .cycles = p.mesh.clock_ratio,
      .mesh = p.mesh,
      .sent = {shared_packets(p, network, first_bits, vcs), shared_packets(p, network, second_bits, vcs)},
      .both_taken = network == hw::Network::reply};
  plan.taken = plan.sent;
  for (hw::PacketParams& taken : plan.taken) taken.ports = 1;  // who asks stands in the id
  return plan;
}
constexpr NetworkPlan shared_butterfly(const hw::TopologyParams& p, hw::Network network, int id_bits) {
  NetworkPlan plan{.cycles = p.mesh.clock_ratio, .sent = {shared_packets(p, network, id_bits, p.mesh.vcs)}};
  plan.taken = plan.sent;
  plan.taken[0].ports = 1;
  plan.butterfly = {.size = p.butterfly,
                    .vcs = p.mesh.vcs,
                    .vc_flits = p.mesh.vc_flits,
                    .link_stages = p.mesh.link_stages,
                    .flit_bytes = p.flit_bytes};
  return plan;
}

// Of cores and slices: like those of 05, with clock and VCs of the butterflies.
constexpr NetworkPlan shared_crossbar(const hw::TopologyParams& p, hw::Network network, int id_bits) {
  hw::TopologyParams q = p;
  q.vcs = p.mesh.vcs, q.vc_depth = p.mesh.vc_flits, q.vc_select = hw::VcSelect::line;
  NetworkPlan plan = network_plan(q, network,
                                  {.crossbars = 1,
                                   .inputs = p.shape.cores,
                                   .outputs = p.shape.slices,
                                   .id_bits = id_bits,
                                   .sectoring = p.shared.chunk});
  plan.cycles = p.mesh.clock_ratio;
  return plan;
}

// Two meshes, requests before replies; in each the class that the other waits for comes last. Or butterflies
// of cores, and between them crossbars of cores and slices.
constexpr NetworkPlans shared_networks(const hw::TopologyParams& p) {
  const int node = bits_for(shared_nodes(p)), core = p.l1d.core_id_bits + hw::mark_bits(p.shared),
            answer = core + hw::hit_bits(p.shared),
            memory = memory_id_bits(shared_cache(p)) + hw::tally_bits(p.shared);
  NetworkPlans plans;
  if (p.shared.fabric == hw::SharedFabric::mesh) {
    plans.add(shared_mesh(p, hw::Network::request, node + core, node + memory));
    plans.add(shared_mesh(p, hw::Network::reply, memory, answer));
    return plans;
  }
  plans.add(shared_butterfly(p, hw::Network::request, node + core));
  plans.add(shared_crossbar(p, hw::Network::request, memory));
  plans.add(shared_crossbar(p, hw::Network::reply, memory));
  plans.add(shared_butterfly(p, hw::Network::reply, answer));
  return plans;
}

// A core among those that search each other's L1s.
constexpr hw::RemoteNodeParams remote_node(const hw::TopologyParams& p, int core) {
  return {.cores = p.shape.cores, .core = core, .remote = p.remote, .l1d = p.l1d};
}
constexpr hw::L1dParams remote_cache(const hw::TopologyParams& p) {
  return hw::searched_cache(remote_node(p, 0));
}

// {1, supplier, entry and sequence} of a line that a core sends, {0, tracked, the same} of a reply of L2; at
// slices the node of the core that asks stands before it.
constexpr int remote_reply_bits(const hw::TopologyParams& p) {
  const hw::ProbeTableParams table = hw::table_params(remote_node(p, 0));
  return 1 + hw::width_to_number(p.shape.cores) + table.group_bits - hw::core_or_none_bits(p.shape.cores);
}

constexpr NetworkPlan remote_mesh(const hw::TopologyParams& p, hw::Network network, int id_bits) {
  NetworkPlan plan{.cycles = p.mesh.clock_ratio, .mesh = p.mesh, .classes = 1};
  plan.sent[0] = {.network = network,
                  .address_bits = p.l1d.address_bits,
                  .line_bytes = p.l1d.line_bytes,
                  .chunk_bytes = p.l1d.chunk_bytes,
                  .flit_bytes = p.flit_bytes,
                  .id_bits = id_bits,
                  .ports = hw::nodes_of(p.mesh),
                  .vcs = p.mesh.vcs,
                  .vc_depth = p.mesh.vc_flits,
                  .vc_select = hw::VcSelect::line};
  plan.taken = plan.sent;
  plan.taken[0].ports = 1;  // who asks stands in the id
  return plan;
}

// Two meshes of one class each: requests, probes among them, and replies.
constexpr NetworkPlans remote_networks(const hw::TopologyParams& p) {
  const int reply = remote_reply_bits(p);
  NetworkPlans plans;
  plans.add(remote_mesh(p, hw::Network::request, bits_for(hw::nodes_of(p.mesh)) + reply));
  plans.add(remote_mesh(p, hw::Network::reply, reply));
  return plans;
}

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

}  // namespace golden
