#include "hw/topology/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "hw/topology/mesh_network.h"

namespace hw {
namespace {

constexpr MeshPort opposite[mesh_ports] = {mesh_local, mesh_south, mesh_west, mesh_north, mesh_east};

constexpr const char* port_names[mesh_ports] = {"local", "north", "east", "south", "west"};

// The node at a port's far end; none where the mesh ends.
std::optional<int> neighbour(const MeshParams& p, int node, int port) {
  const int column = node % p.width, row = node / p.width;
  const auto there = [](bool exists, int other) { return exists ? std::optional(other) : std::nullopt; };
  if (port == mesh_north) return there(row > 0, node - p.width);
  if (port == mesh_south) return there(row < p.height - 1, node + p.width);
  if (port == mesh_west) return there(column > 0, node - 1);
  return there(port == mesh_east && column < p.width - 1, node + 1);
}

// Where a packet leaves a router: along the row first.
MeshPort way(const MeshParams& p, int node, int to) {
  const int columns = to % p.width - node % p.width, rows = to / p.width - node / p.width;
  if (columns) return columns > 0 ? mesh_east : mesh_west;
  if (rows) return rows > 0 ? mesh_south : mesh_north;
  return mesh_local;
}

}  // namespace

Mesh::Mesh(const MeshParams& p, Use use) : RoutedFabric(std::move(use), p.clock_ratio), p_(p) {
  int side = 0;
  for (const MessageClass& c : classes()) side = std::max(side, side_bits(c.sent));
  router_ = {.width = p.width,
             .height = p.height,
             .vcs = p.vcs,
             .vc_flits = p.vc_flits,
             .link_stages = p.link_stages,
             .flit_bytes = classes()[0].sent.flit_bytes,
             .side_bits = side,
             .checks = checks()};
}

FlitShape Mesh::leaving(int message_class) const {
  const MessageClass& c = classes()[static_cast<std::size_t>(message_class)];
  if (classes().size() > 1) return shape_of(c.taken, true);
  FlitShape shape = shape_of(c.sent, false);
  shape.destination_bits = 0;
  return shape;
}

rtl::Module Mesh::network(const std::string& top, const std::vector<ClassPorts>& ports) const {
  rtl::Module m(top + "_" + name(), title() + ": a mesh of routers (DC-L1 thesis, chapter 4).");
  std::vector<MeshClass> made;
  for (std::size_t c = 0; c < classes().size(); ++c) {
    const int number = static_cast<int>(c);
    made.push_back({classes()[c].name, shape_of(classes()[c].sent, false), ports[c],
                    port_links(m, number, true, ports[c]), port_links(m, number, false, ports[c])});
  }
  add_mesh(m, p_, router_, made);
  return m;
}

std::vector<CrossbarGroup> Mesh::crossbars() const {
  return {{.name = name() + "_routers",
           .count = nodes_of(p_),
           .crossbar = {.inputs = mesh_ports,
                        .outputs = mesh_ports,
                        .flit_bytes = router_.flit_bytes,
                        .side_bits = number_bits(nodes_of(p_)) + router_.side_bits,
                        .vcs = p_.vcs,
                        .vc_depth = p_.vc_flits}}};
}

void Mesh::add_waits(WaitsFor& graph, int message_class, const ClassPorts& ports) const {
  const int share = p_.vcs / static_cast<int>(classes().size());
  for (const int from : ports.senders)
    for (const int to : ports.sinks)
      for (int v = message_class * share; v < (message_class + 1) * share; ++v) {
        std::string who = end_name(message_class, true, from);
        for (int node = from, port = mesh_local;;) {
          const std::string queue = fmt::format("{} node {} {} VC {}", name(), node, port_names[port], v);
          graph.add(who, queue);
          who = queue;
          const MeshPort out = way(p_, node, to);
          if (out == mesh_local) break;
          node = *neighbour(p_, node, out), port = opposite[out];
        }
        graph.add(who, end_name(message_class, false, to));
      }
}

std::vector<std::pair<std::string, int>> Mesh::facts() const {
  return {{"routers", nodes_of(p_)},
          {"side_bits", router_.side_bits},
          {"cycles_between_routers", p_.clock_ratio * (2 + p_.link_stages)}};
}

}  // namespace hw
