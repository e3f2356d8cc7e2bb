// A golden topology as data: its networks, and its parts with the ports of networks at which each sends and
// takes messages (DC-L1 thesis, chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "golden/l1d/memory_ids.h"
#include "golden/topology/fabric.h"
#include "hw/noc/vc_crossbar_params.h"
#include "hw/topology/topology_params.h"

namespace golden {

class Part;
struct PartSite;

// A network: `crossbars` crossbars, with what is at their inputs and outputs.
struct NetworkPlan {
  int crossbars = 0;
  bool fast = false;  // on the fast clock
  hw::CrossbarParams crossbar = {};
  hw::PacketParams in = {}, out = {};
  int cycles = 1;  // to one in which it moves
  // Of a mesh, by class, which share its VCs; `both_taken`: a node takes both.
  hw::MeshParams mesh = {.width = 0};
  int classes = 2;
  std::array<hw::PacketParams, 2> sent = {}, taken = {};
  bool both_taken = false;

  bool checks = false;  // of flits and credits, in a mesh or a butterfly

  // A butterfly has the first class alone.
  hw::ButterflyParams butterfly = {.size = {.radix = 0}};

  constexpr bool meshed() const { return mesh.width > 0; }
  constexpr bool flies() const { return butterfly.size.radix > 0; }
};

struct NetworkPlans {
  std::array<NetworkPlan, 8> plans{};
  std::size_t count = 0;

  constexpr void add(const NetworkPlan& plan) { plans[count++] = plan; }
};

// Where a part is joined to a network.
struct PortPlan {
  int network = 0, port = 0;
  Destination to = nullptr;  // of requests that it sends
};

// One part, in the place of core, node or slice `number`.
struct PartPlan {
  std::unique_ptr<Part> (*make)(const PartSite&) = nullptr;
  int number = 0;
  std::vector<PortPlan> sends = {}, takes = {};
};

// Crossbars of a request network; those of replies are theirs with inputs and outputs exchanged.
struct CrossbarsPlan {
  int crossbars = 0, inputs = 0, outputs = 0;
  int id_bits = 0;  // of the requests that enter
  bool fast = false, sectoring = true;
  hw::SidebandBits sideband = {};  // of the requests that enter
  int cycles = 1;                  // to one in which they move
};

// Messages of the caches' lines on a network.
constexpr hw::PacketParams packets_of_lines(const hw::TopologyParams& p, hw::Network network, int id_bits,
                                            int ports) {
  return {.network = network,
          .address_bits = p.l1d.address_bits,
          .line_bytes = p.l1d.line_bytes,
          .chunk_bytes = p.l1d.chunk_bytes,
          .flit_bytes = p.flit_bytes,
          .id_bits = id_bits,
          .ports = ports};
}
// The same over the VCs of meshes and butterflies, which those of one line keep to.
constexpr hw::PacketParams packets_of_mesh(const hw::TopologyParams& p, hw::Network network, int id_bits,
                                           int ports, int vcs) {
  hw::PacketParams packets = packets_of_lines(p, network, id_bits, ports);
  packets.vcs = vcs;
  packets.vc_depth = p.mesh.vc_flits;
  packets.vc_select = hw::VcSelect::line;
  return packets;
}

constexpr NetworkPlan network_plan(const hw::TopologyParams& p, hw::Network network, const CrossbarsPlan& c) {
  const bool back = network == hw::Network::reply;
  NetworkPlan plan{.crossbars = c.crossbars, .fast = c.fast};
  plan.cycles = c.cycles;
  plan.crossbar = {.inputs = back ? c.outputs : c.inputs,
                   .outputs = back ? c.inputs : c.outputs,
                   .flit_bytes = p.flit_bytes,
                   .vcs = p.vcs,
                   .vc_depth = p.vc_depth,
                   .iterations = p.iterations,
                   .checks = p.l1d.check.ports};
  plan.in = packets_of_lines(p, network, c.id_bits, plan.crossbar.outputs);
  plan.in.vcs = p.vcs;
  plan.in.vc_depth = p.vc_depth;
  plan.in.vc_select = p.vc_select;
  plan.in.sectoring = c.sectoring;
  if (!back) plan.in.sideband = c.sideband;
  plan.out = plan.in;
  plan.out.ports = plan.crossbar.inputs;
  return plan;
}

// Requests, and behind them the replies to them.
constexpr void add_both(NetworkPlans& plans, const hw::TopologyParams& p, const CrossbarsPlan& c) {
  plans.add(network_plan(p, hw::Network::request, c));
  plans.add(network_plan(p, hw::Network::reply, c));
}

}  // namespace golden
