// Caches and networks of shared L1s (DC-L1 thesis, chapter 4; docs/contracts/shared-l1.md).
#pragma once
#include "golden/topology/plan.h"
#include "hw/shared/marks_params.h"

namespace golden::kinds {

// By which cores know each other: nodes of a mesh, ports of a butterfly.
constexpr int shared_nodes(const hw::TopologyParams& p) {
  return p.shared.fabric == hw::SharedFabric::mesh ? hw::nodes_of(p.mesh) : hw::ports_of(p.butterfly);
}

// The L1 of a shared kind: {served, core's node, id} as ids, and failed requests as an output.
constexpr hw::L1dParams shared_cache(const hw::TopologyParams& p) {
  hw::L1dParams cache = p.l1d;
  cache.core_id_bits += 1 + bits_for(shared_nodes(p)) + hw::mark_bits(p.shared);
  cache.counters = true;
  cache.drops = hw::has_drops(p.shared);
  cache.check = {};  // parts check what comes
  cache.stale_lines = hw::has_stale_lines(p.shared);
  return cache;
}

constexpr hw::PacketParams shared_packets(const hw::TopologyParams& p, hw::Network network, int id_bits,
                                          int vcs) {
  hw::PacketParams packets = packets_of_mesh(p, network, id_bits, shared_nodes(p), vcs);
  packets.sectoring = p.shared.chunk;
  return packets;
}
constexpr NetworkPlan shared_mesh(const hw::TopologyParams& p, hw::Network network, int first_bits,
                                  int second_bits) {
  const int vcs = p.mesh.vcs / 2;
  NetworkPlan plan{
      .cycles = p.mesh.clock_ratio,
      .mesh = p.mesh,
      .sent = {shared_packets(p, network, first_bits, vcs), shared_packets(p, network, second_bits, vcs)},
      .both_taken = network == hw::Network::reply,
      .checks = p.l1d.check.ports};
  plan.taken = plan.sent;
  for (hw::PacketParams& taken : plan.taken) taken.ports = 1;  // who asks stands in the id
  return plan;
}
constexpr NetworkPlan shared_butterfly(const hw::TopologyParams& p, hw::Network network, int id_bits) {
  NetworkPlan plan{.cycles = p.mesh.clock_ratio,
                   .sent = {shared_packets(p, network, id_bits, p.mesh.vcs)},
                   .checks = p.l1d.check.ports};
  plan.taken = plan.sent;
  plan.taken[0].ports = 1;
  plan.butterfly = {.size = p.butterfly,
                    .vcs = p.mesh.vcs,
                    .vc_flits = p.mesh.vc_flits,
                    .link_stages = p.mesh.link_stages,
                    .flit_bytes = p.flit_bytes,
                    .checks = plan.checks};
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
            memory = golden::memory_id_bits(shared_cache(p)) + hw::tally_bits(p.shared);
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

}  // namespace golden::kinds
