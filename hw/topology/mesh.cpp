#include "hw/topology/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "hw/noc/mesh_router.h"
#include "hw/topology/closed_port.h"
#include "hw/topology/mesh_port.h"

namespace hw {
namespace {

using rtl::lit;

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

// The routers with the links between them, and the ends of the nodes' links.
class MeshBuilder {
 public:
  MeshBuilder(rtl::Module& m, const MeshParams& p, const MeshRouterParams& router, const FabricClock& clock,
              const std::string& top, const std::string& name)
      : m_(m), p_(p), router_(router), clock_(clock), name_(name), prefix_(top + "_" + name) {
    shape_ = {.vcs = router.vcs,
              .destination_bits = number_bits(nodes_of(p)),
              .side_bits = router.side_bits,
              .flit_bytes = router.flit_bytes};
  }

  void run(const std::vector<MessageClass>& classes, const std::vector<ClassLinks>& links) {
    for (const MessageClass& c : classes) classes_.push_back(shape_of(c.sent, false));
    for (int n = 0; n < nodes_of(p_); ++n)
      for (int j = 0; j < mesh_ports; ++j)
        out_.push_back(j == mesh_local && has_taker(links, n) ? links[0].takers.at(n) : link(n, j));
    const rtl::Module router = clock_.timed(mesh_router(router_, prefix_ + "_router"));
    for (int n = 0; n < nodes_of(p_); ++n) place(router, links, n);
  }

 private:
  // One class needs no joining: its links are those of the routers.
  static bool straight(const std::vector<ClassLinks>& links) { return links.size() == 1; }
  static bool has_taker(const std::vector<ClassLinks>& links, int n) {
    return straight(links) && links[0].takers.contains(n);
  }
  static std::size_t at(int n) { return static_cast<std::size_t>(n); }
  const Link& out(int node, int port) const { return out_[at(node * mesh_ports + port)]; }

  Link link(int node, int port) {
    return {m_, fmt::format("{}_{}_out{}", name_, node, port), shape_, Link::Made::wires};
  }

  // Pins of a port behind which there is nobody.
  Pins closed(int node, int port) {
    Pins pins = nobody_enters(node, port);
    append(pins, nobody_takes(node, port));
    return pins;
  }

  Pins nobody_enters(int node, int port) {
    return hw::nobody_enters(m_, out(node, port), port, fmt::format("{}_{}", name_, node));
  }
  Pins nobody_takes(int node, int port) {
    return hw::nobody_takes(m_, out(node, port), port, fmt::format("{}_{}", name_, node));
  }

  void place(const rtl::Module& router, const std::vector<ClassLinks>& links, int n) {
    Pins pins{{"column", lit(number_bits(p_.width), static_cast<unsigned>(n % p_.width))},
              {"row", lit(number_bits(p_.height), static_cast<unsigned>(n / p_.width))}};
    for (int i = 1; i < mesh_ports; ++i) {
      const std::optional<int> from = neighbour(p_, n, i);
      if (!from) {
        append(pins, closed(n, i));
        continue;
      }
      append(pins, out(*from, opposite[i]).pins(fmt::format("in{}", i), true, false));
      append(pins, out(n, i).pins(fmt::format("out{}", i), true, false));
    }
    append(pins, straight(links) ? own_links(links[0], n) : own_ends(links, n));
    m_.instance(router, fmt::format("{}_router{}", name_, n), clock_.timed(pins, router),
                fmt::format("Node {}.", n));
  }

  // Pins of a router's port at its node, of one class.
  Pins own_links(const ClassLinks& links, int n) {
    const auto sender = links.senders.find(n);
    Pins own = sender == links.senders.end() ? nobody_enters(n, mesh_local)
                                             : sender->second.pins("in0", true, false);
    if (!links.takers.contains(n)) {
      append(own, nobody_takes(n, mesh_local));
      return own;
    }
    const Link& from = out(n, mesh_local);
    append(own, from.pins("out0", true, false));
    m_.unused(fmt::format("unused_{}_{}_destination", name_, n), from["destination"], "always this node");
    return own;
  }

  // The same of two classes, and the module that joins the node's parts to it: one for all nodes
  // that send and take the same.
  Pins own_ends(const std::vector<ClassLinks>& links, int n) {
    MeshPortParams port{.router = shape_, .vc_depth = p_.vc_flits};
    std::string kind;
    Pins joined;
    for (std::size_t c = 0; c < links.size(); ++c) {
      port.classes.push_back(classes_[c]);
      const auto sender = links[c].senders.find(n), taker = links[c].takers.find(n);
      port.sends.push_back(sender != links[c].senders.end());
      port.takes.push_back(taker != links[c].takers.end());
      if (port.sends[c]) append(joined, sender->second.pins(fmt::format("send{}", c), true, false));
      if (port.takes[c]) append(joined, taker->second.pins(fmt::format("take{}", c), true, false));
      kind += fmt::format("{}{}", port.sends[c] ? fmt::format("_send{}", c) : "",
                          port.takes[c] ? fmt::format("_take{}", c) : "");
    }
    if (kind.empty()) return closed(n, mesh_local);
    const bool sends = std::ranges::count(port.sends, true), takes = std::ranges::count(port.takes, true);
    Pins own;
    if (sends) {
      const Link to(m_, fmt::format("{}_{}_in0", name_, n), shape_, Link::Made::wires);
      append(own, to.pins("in0", true, false));
      append(joined, to.pins("to_router", true, false));
    }
    if (takes) {
      const Link& from = out(n, mesh_local);
      append(own, from.pins("out0", true, false));
      append(joined, from.pins("from_router", false, false));
      m_.unused(fmt::format("unused_{}_{}_destination", name_, n), from["destination"], "always this node");
    }
    if (!sends) append(own, nobody_enters(n, mesh_local));
    if (!takes) append(own, nobody_takes(n, mesh_local));
    const rtl::Module module = clock_.timed(mesh_port(port, prefix_ + "_port" + kind));
    m_.instance(module, fmt::format("{}_port{}", name_, n), clock_.timed(joined, module),
                fmt::format("Parts of node {}.", n));
    return own;
  }

  rtl::Module& m_;
  const MeshParams& p_;
  const MeshRouterParams& router_;
  const FabricClock& clock_;
  const std::string name_, prefix_;
  FlitShape shape_;
  std::vector<FlitShape> classes_;
  std::vector<Link> out_;  // what leaves routers, by node and port
};

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
             .side_bits = side};
}

FlitShape Mesh::leaving(int message_class) const {
  const MessageClass& c = classes()[static_cast<std::size_t>(message_class)];
  return classes().size() == 1 ? shape_of(c.sent, false) : shape_of(c.taken, true);
}

void Mesh::build(rtl::Module& m, const FabricClock& clock, const std::string& top,
                 const std::vector<ClassLinks>& links) const {
  MeshBuilder(m, p_, router_, clock, top, name()).run(classes(), links);
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
    for (const int to : ports.takers)
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
