#include "hw/topology/shared_fabrics.h"

#include <fmt/format.h>

#include "hw/noc/butterfly.h"
#include "hw/noc/noc_ranges.h"
#include "hw/require.h"
#include "hw/shared/marks_params.h"
#include "hw/shared/route_select.h"
#include "hw/topology/butterflies.h"
#include "hw/topology/crossbars.h"
#include "hw/topology/networks.h"

namespace hw {
namespace {

// Ids as they travel to homes and back to cores, but for the node.
int asked_bits(const TopologyParams& p) { return p.l1d.core_id_bits + mark_bits(p.shared); }
int answered_bits(const TopologyParams& p) { return asked_bits(p) + hit_bits(p.shared); }

bool meshed(const TopologyParams& p) {
  return p.shape.kind != TopologyKind::shared || p.shared.fabric == SharedFabric::mesh;
}

// Virtual channels of crossbars are those of the mesh.
TopologyParams with_links(TopologyParams p) {
  p.vcs = p.mesh.vcs, p.vc_depth = p.mesh.vc_flits;
  p.vc_select = VcSelect::line;
  return p;
}

// Between nodes, on so many VCs.
PacketParams routed_packets(const TopologyParams& p, Network network, int id_bits, int vcs, bool sectoring) {
  PacketParams packets = packets_of(with_links(p), network, id_bits, nodes_of(p));
  packets.vcs = vcs;
  packets.sectoring = network == Network::request || sectoring;
  return packets;
}

// What receivers know of packets: who sent a request stands in its id.
PacketParams taken(PacketParams packets) {
  packets.granted = false;
  if (packets.network == Network::request) packets.ports = 1;
  return packets;
}

RoutedFabric::Use use_of(const TopologyParams& p, Network network, const std::string& fabric,
                         std::vector<MessageClass> classes) {
  const std::string name = network == Network::request ? "requests" : "replies";
  return {.name = name,
          .title = fmt::format("The {} of {}", fabric, name),
          .classes = std::move(classes),
          .checks = p.l1d.check.ports};
}

std::shared_ptr<const ButterflyFabric> butterfly_of(const TopologyParams& p, Network network, int id_bits) {
  const PacketParams sent = routed_packets(p, network, id_bits, p.mesh.vcs, p.shared.chunk);
  return std::make_shared<ButterflyFabric>(
      p.butterfly, p.mesh, use_of(p, network, "butterfly", {{.sent = sent, .taken = taken(sent)}}));
}

std::shared_ptr<const Crossbars> crossbars_of(const TopologyParams& p, int id_bits) {
  return std::make_shared<Crossbars>(
      with_links(p), Crossbars::Use{.name = "l2",
                                    .title = "The crossbars to and from slices",
                                    .sizes = {.count = 1, .inputs = p.shape.cores, .outputs = p.shape.slices},
                                    .id_bits = id_bits,
                                    .sectoring = p.shared.chunk,
                                    .cycles = p.mesh.clock_ratio,
                                    .destination = {output_of, "slice of the request"}});
}

SharedFabrics meshes(const TopologyParams& p, int memory_bits) {
  enum : int { requests, replies };
  enum : int { to_a_core, to_a_slice };      // of requests
  enum : int { from_a_slice, from_a_core };  // of replies
  const int node_bits = number_bits(nodes_of(p));
  const std::vector<int> cores = core_nodes(route_of(p)),
                         slices(p.mesh.memory_nodes.begin(), p.mesh.memory_nodes.end());
  SharedFabrics made{.slice_id_bits = node_bits + memory_bits};
  const bool chunk = p.shared.chunk;
  made.fabrics = {
      mesh_of(p, Network::request,
              {{"to_cores", node_bits + asked_bits(p)}, {"to_slices", made.slice_id_bits}}, chunk),
      mesh_of(p, Network::reply, {{"from_slices", memory_bits}, {"from_cores", answered_bits(p)}}, chunk)};
  made.core_ends = {
      {"to_homes", requests, to_a_core, true, cores},    {"to_slices", requests, to_a_slice, true, cores},
      {"from_cores", requests, to_a_core, false, cores}, {"from_slices", replies, from_a_slice, false, cores},
      {"to_cores", replies, from_a_core, true, cores},   {"from_homes", replies, from_a_core, false, cores}};
  made.slice_ends = {{"to_cores", replies, from_a_slice, true, slices},
                     {"from_cores", requests, to_a_slice, false, slices}};
  return made;
}

SharedFabrics butterflies(const TopologyParams& p, int memory_bits) {
  enum : int { requests, l2, replies };
  const std::vector<int> cores = in_order(p.shape.cores), slices = in_order(p.shape.slices);
  const auto crossbars = crossbars_of(p, memory_bits);
  SharedFabrics made{.slice_id_bits = crossbars->joined_id_bits()};
  made.fabrics = {butterfly_of(p, Network::request, number_bits(nodes_of(p)) + asked_bits(p)), crossbars,
                  butterfly_of(p, Network::reply, answered_bits(p))};
  made.core_ends = {
      {"to_homes", requests, 0, true, cores},    {"to_slices", l2, Crossbars::requests, true, cores},
      {"from_cores", requests, 0, false, cores}, {"from_slices", l2, Crossbars::replies, false, cores},
      {"to_cores", replies, 0, true, cores},     {"from_homes", replies, 0, false, cores}};
  made.slice_ends = {{"to_cores", l2, Crossbars::replies, true, slices},
                     {"from_cores", l2, Crossbars::requests, false, slices}};
  return made;
}

}  // namespace

std::shared_ptr<const Mesh> mesh_of(const TopologyParams& p, Network network,
                                    const std::vector<MessageIds>& ids, bool sectoring) {
  std::vector<MessageClass> classes;
  const int of_each = static_cast<int>(ids.size());
  for (const auto& [name, bits] : ids) {
    PacketParams sent = routed_packets(p, network, bits, p.mesh.vcs / of_each, sectoring);
    sent.granted = of_each > 1;  // they share their routers' links
    classes.push_back({.name = name, .sent = sent, .taken = taken(sent)});
  }
  return std::make_shared<Mesh>(p.mesh, use_of(p, network, "mesh", std::move(classes)));
}

int nodes_of(const TopologyParams& p) { return meshed(p) ? nodes_of(p.mesh) : ports_of(p.butterfly); }

RouteParams route_of(const TopologyParams& p) {
  RouteParams route{.address_bits = p.l1d.address_bits,
                    .line_bytes = p.l1d.line_bytes,
                    .cores = p.shape.cores,
                    .slices = p.shape.slices,
                    .width = p.mesh.width,
                    .height = p.mesh.height,
                    .memory_nodes = p.mesh.memory_nodes,
                    .home = p.shared.home,
                    .min_home_l2 = p.shared.min_home_l2};
  if (meshed(p)) return route;
  route.width = nodes_of(p), route.height = 1;
  route.memory_nodes = {.count = p.shape.slices};
  for (int s = 0; s < p.shape.slices; ++s)
    route.memory_nodes.numbers[static_cast<std::size_t>(s)] = p.shape.cores + s;
  return route;
}

SharedFabrics shared_fabrics(const TopologyParams& p, int memory_bits) {
  return meshed(p) ? meshes(p, memory_bits) : butterflies(p, memory_bits);
}

void check_links(const MeshParams& mesh) {
  require_in(MeshRanges::vc_flits, "mesh.vc_flits", mesh.vc_flits, "use 4");
  require_in(MeshRanges::clock_ratio, "mesh.clock_ratio", mesh.clock_ratio, "use 2");
  require_in(MeshRanges::link_stages, "mesh.link_stages", mesh.link_stages, "use 1");
}

void check_fabrics(const TopologyParams& p) {
  require_in(MeshRanges::vcs, "mesh.vcs", p.mesh.vcs, "use 4");
  require(p.mesh.vcs % 2 == 0, "mesh.vcs", p.mesh.vcs,
          "must be even: half of the VCs is for either class of messages", "use 4");
  check_links(p.mesh);
  if (meshed(p)) return;
  check(p.butterfly);
  require(!p.shared.min_home_l2, "shared.min_home_l2", true,
          "counts hops, and in a butterfly all ways are of the same length",
          "leave it out, or use shared.fabric = \"mesh\"");
  require(p.shape.cores + p.shape.slices <= ports_of(p.butterfly), "topology.cores", p.shape.cores,
          fmt::format("and {} slices are more than the {} ports of the butterfly", p.shape.slices,
                      ports_of(p.butterfly)),
          "make butterfly.radix or butterfly.stages larger, or the numbers smaller");
}

}  // namespace hw
