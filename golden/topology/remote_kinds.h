// Caches and networks of cores that search each other's L1s (DC-L1 thesis, chapter 3;
// docs/contracts/remote-core.md).
#pragma once
#include "golden/bits.h"
#include "golden/topology/plan.h"
#include "hw/remote/remote_node_params.h"

namespace golden::kinds {

// A core among cores that search each other's L1s.
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
  return 1 + bits_for(p.shape.cores) + table.group_bits - hw::core_or_none_bits(p.shape.cores);
}

constexpr NetworkPlan remote_mesh(const hw::TopologyParams& p, hw::Network network, int id_bits) {
  NetworkPlan plan{.cycles = p.mesh.clock_ratio, .mesh = p.mesh, .classes = 1, .checks = p.l1d.check.ports};
  plan.sent[0] = packets_of_mesh(p, network, id_bits, hw::nodes_of(p.mesh), p.mesh.vcs);
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

}  // namespace golden::kinds
