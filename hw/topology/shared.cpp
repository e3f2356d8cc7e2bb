#include "hw/topology/shared.h"

#include <fmt/format.h>

#include "hw/require.h"
#include "hw/shared/l1_arbiter.h"
#include "hw/shared/route_select.h"
#include "hw/topology/mesh.h"
#include "hw/topology/shared_node.h"
#include "hw/topology/topology_parts.h"

namespace hw {
namespace {

// The fabrics, and the classes of each.
enum : int { requests, replies };
enum : int { to_a_core, to_a_slice };      // of requests
enum : int { from_a_slice, from_a_core };  // of replies

constexpr int most_id_bits = 24;

RouteParams route_of(const TopologyParams& p) {
  return {.address_bits = p.l1d.address_bits,
          .line_bytes = p.l1d.line_bytes,
          .cores = p.shape.cores,
          .slices = p.shape.slices,
          .width = p.mesh.width,
          .height = p.mesh.height,
          .memory_nodes = p.mesh.memory_nodes,
          .home = p.shared.home,
          .min_home_l2 = p.shared.min_home_l2};
}

RouteParams whole_route_of(const TopologyParams& p) {
  RouteParams route = route_of(p);
  route.sets = sets_of(p.l1d);
  return route;
}

PacketParams packets_of(const TopologyParams& p, Network network, int id_bits) {
  return {.network = network,
          .address_bits = p.l1d.address_bits,
          .line_bytes = p.l1d.line_bytes,
          .chunk_bytes = p.l1d.chunk_bytes,
          .flit_bytes = p.flit_bytes,
          .id_bits = id_bits,
          .ports = nodes_of(p.mesh),
          .vcs = p.mesh.vcs / 2,
          .vc_depth = p.mesh.vc_flits,
          .vc_select = VcSelect::line,
          .sectoring = network == Network::request || p.shared.chunk,
          .granted = true};
}

// What receivers know of packets: who sent a request stands in its id.
PacketParams taken(PacketParams packets) {
  packets.granted = false;
  if (packets.network == Network::request) packets.ports = 1;
  return packets;
}

std::shared_ptr<const Mesh> mesh_of(const TopologyParams& p, Network network, int first_bits,
                                    int second_bits) {
  const bool asks = network == Network::request;
  const PacketParams first = packets_of(p, network, first_bits), second = packets_of(p, network, second_bits);
  return std::make_shared<Mesh>(p.mesh,
                                Mesh::Use{.name = asks ? "requests" : "replies",
                                          .title = asks ? "The mesh of requests" : "The mesh of replies",
                                          .sent = {first, second},
                                          .taken = {taken(first), taken(second)}});
}

HomeMap homes(const TopologyShape& s) {
  return {.slices = s.slices, .slices_a_home = s.slices, .outputs = s.slices};
}

TopologyPlan plan(const TopologyParams& p) {
  const int node_bits = number_bits(nodes_of(p.mesh));
  TopologyPlan plan{.map = homes(p.shape),
                    .cache = p.l1d,
                    .caches = "shared caches",
                    .chapter = 4,
                    .queued_messages = 6 * p.shared.queue_entries,
                    .hit_latency = 1,
                    .flushes_at_once = true};
  plan.cache.core_id_bits += 1 + node_bits;
  plan.cache.counters = true;  // of failed requests the arbiter is told
  const int memory_bits = memory_id_bits(plan.cache);
  plan.slice_id_bits = node_bits + memory_bits;
  plan.fabrics = {mesh_of(p, Network::request, node_bits + p.l1d.core_id_bits, plan.slice_id_bits),
                  mesh_of(p, Network::reply, memory_bits, p.l1d.core_id_bits)};

  const std::vector<int> core_places = core_nodes(route_of(p)),
                         slice_places(p.mesh.memory_nodes.begin(), p.mesh.memory_nodes.end());
  PartGroup cores{
      .name = "core", .module = "core", .count = p.shape.cores, .build = [](const PartSite& site) {
        return shared_node(site, whole_route_of(site.params));
      }};
  cores.ends = {{"to_homes", requests, to_a_core, true, core_places},
                {"to_slices", requests, to_a_slice, true, core_places},
                {"from_cores", requests, to_a_core, false, core_places},
                {"from_slices", replies, from_a_slice, false, core_places},
                {"to_cores", replies, from_a_core, true, core_places},
                {"from_homes", replies, from_a_core, false, core_places}};
  std::vector<int> numbers;
  for (int c = 0; c < p.shape.cores; ++c) numbers.push_back(c);
  cores.ties = {{"core", number_bits(p.shape.cores), numbers}, {"node", node_bits, core_places}};
  PartGroup slices{.name = "slice", .module = "slice", .count = p.shape.slices, .build = slice_port};
  slices.ends = {{"to_cores", replies, from_a_slice, true, slice_places},
                 {"from_cores", requests, to_a_slice, false, slice_places}};
  plan.parts = {cores, slices};
  return plan;
}

void check_parts(const TopologyParams& p) {
  const auto within = [](int value, const char* key, int low, int high, const char* remedy) {
    require(value >= low && value <= high, key, value, fmt::format("must be from {} to {}", low, high),
            remedy);
  };
  within(p.shared.queue_entries, "shared.queue_entries", 2, 16, "use 4");
  check(L1ArbiterParams{.remote_wait_limit = p.shared.remote_wait_limit});
  within(p.mesh.vcs, "mesh.vcs", 2, 8, "use 4");
  require(p.mesh.vcs % 2 == 0, "mesh.vcs", p.mesh.vcs,
          "must be even: half of the VCs is for either class of messages", "use 4");
  within(p.mesh.vc_flits, "mesh.vc_flits", 1, 16, "use 4");
  within(p.mesh.clock_ratio, "mesh.clock_ratio", 1, 4, "use 2");
  within(p.mesh.link_stages, "mesh.link_stages", 0, 3, "use 1");
  within(p.l1d.core_id_bits, "core.id_bits", 1, most_id_bits, "use 8, ids of 256 requests under way");
  require(!p.l1d.request_slice, "core.request_slice", true,
          "stands before a cache alone; here a request stands in a register while its route is found",
          "leave it out");
  check(whole_route_of(p));
}

}  // namespace

const KindRow shared{.kind = TopologyKind::shared,
                     .name = "shared",
                     .nodes = false,
                     .clusters = false,
                     .caches_in_nodes = false,
                     .meshed = true,
                     .check = [](const TopologyShape&) {},
                     .check_parts = check_parts,
                     .homes = homes,
                     .plan = plan};

}  // namespace hw
