// What follows from a topology's parameters: the caches, the crossbars, and what is at their ends (DC-L1
// thesis, chapter 5; docs/dc-l1-timing.md).
#pragma once
#include <algorithm>

#include "golden/packet/packet.h"
#include "golden/topology/home.h"
#include "hw/noc/vc_crossbar_params.h"
#include "hw/topology/dc_l1_node_params.h"
#include "hw/topology/topology_params.h"

namespace golden {

// Cores that share a node's cache.
constexpr int cores_of_cache(const hw::TopologyShape& s) {
  return caches_in_nodes(s.kind) ? s.cores / s.nodes : 1;
}

// A cache as it is built, at a core or in a node.
constexpr hw::L1dParams cache_params(const hw::TopologyParams& p) {
  hw::L1dParams cache = p.l1d;
  if (!caches_in_nodes(p.shape.kind)) return cache;
  const Home home(p.shape, p.node.squeeze);
  cache.capacity_bytes *= cores_of_cache(p.shape);
  cache.mshr_entries *= cores_of_cache(p.shape);
  cache.core_id_bits += bits_for(home.sizes().cluster_cores);
  cache.address_bits -= home.field().bits;
  return cache;
}

constexpr hw::DcL1NodeParams node_params(const hw::TopologyParams& p) {
  const BitField field = Home(p.shape, p.node.squeeze).field();
  return {.l1d = cache_params(p),
          .queue = p.node.queue,
          .home_low = field.low,
          .home_bits = field.bits,
          .boost = p.boost};
}

// Bits of a cache's memory_request_id (docs/l1d-timing.md).
constexpr int memory_id_bits(const hw::L1dParams& p) {
  const bool by_chunk = p.tags == hw::TagKind::sectored || p.tags == hw::TagKind::split;
  const int fetch = bits_for(p.mshr_entries) + (by_chunk ? bits_for(hw::chunks_of_line(p)) : 0);
  return 1 + std::max(p.core_id_bits, fetch);
}

// One of the four networks: `crossbars` crossbars, with what is at their inputs and outputs.
struct NetworkPlan {
  int crossbars = 0;
  hw::CrossbarParams crossbar = {};
  hw::PacketParams in = {}, out = {};
};

// A request network of `crossbars` times `inputs` x `outputs`, or the replies that go back through it.
// `id_bits`: of the requests that enter.
constexpr NetworkPlan network_plan(const hw::TopologyParams& p, hw::Network network, int crossbars,
                                   int inputs, int outputs, int id_bits, bool sectoring) {
  const bool back = network == hw::Network::reply;
  NetworkPlan plan;
  plan.crossbars = crossbars;
  plan.crossbar = {.inputs = back ? outputs : inputs,
                   .outputs = back ? inputs : outputs,
                   .flit_bytes = p.flit_bytes,
                   .vcs = p.vcs,
                   .vc_depth = p.vc_depth,
                   .iterations = p.iterations};
  plan.in = {.network = network,
             .address_bits = p.l1d.address_bits,
             .line_bytes = p.l1d.line_bytes,
             .chunk_bytes = p.l1d.chunk_bytes,
             .flit_bytes = p.flit_bytes,
             .id_bits = id_bits,
             .ports = plan.crossbar.outputs,
             .vcs = p.vcs,
             .vc_depth = p.vc_depth,
             .vc_select = p.vc_select,
             .sectoring = sectoring};
  plan.out = plan.in;
  plan.out.ports = plan.crossbar.inputs;
  return plan;
}

// Bits of the ids that enter NoC#1 and NoC#2 with requests.
constexpr int noc1_id_bits(const hw::TopologyParams& p) {
  return caches_in_nodes(p.shape.kind) ? p.l1d.core_id_bits : memory_id_bits(p.l1d);
}
constexpr int noc2_id_bits(const hw::TopologyParams& p) {
  if (p.shape.kind == hw::TopologyKind::cdxbar)
    return noc1_id_bits(p) + bits_for(sizes_of(p.shape).cluster_cores);
  return memory_id_bits(cache_params(p));
}
// Of slice<s>_request.
constexpr int slice_id_bits(const hw::TopologyParams& p) {
  return noc2_id_bits(p) + bits_for(sizes_of(p.shape).noc2_inputs);
}

constexpr NetworkPlan noc1_plan(const hw::TopologyParams& p, hw::Network network) {
  const TopologySizes z = sizes_of(p.shape);
  const bool whole_lines = caches_in_nodes(p.shape.kind) && !p.node.sectoring;
  return network_plan(p, network, z.noc1_crossbars, z.cluster_cores, z.homes, noc1_id_bits(p), !whole_lines);
}
constexpr NetworkPlan noc2_plan(const hw::TopologyParams& p, hw::Network network) {
  const TopologySizes z = sizes_of(p.shape);
  return network_plan(p, network, z.noc2_crossbars, z.noc2_inputs, z.outputs, noc2_id_bits(p), true);
}

}  // namespace golden
