#include "hw/topology/mesh_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "hw/noc/mesh_router.h"
#include "hw/prim/one_hot.h"
#include "hw/topology/closed_port.h"
#include "hw/topology/error_wires.h"
#include "hw/topology/mesh_port.h"
#include "hw/topology/networks.h"

namespace hw {
namespace {

using rtl::Expr;

std::string capitals(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

// Flits between routers stand in vectors by direction. A row has one link more than it has routers, a column
// too: at the edges of the mesh nobody sends and nobody takes. Links of a column stand row by row, those of a
// row column by column, so that those of an edge are neighbours.
class MeshNetwork {
 public:
  MeshNetwork(rtl::Module& m, const MeshParams& p, const MeshRouterParams& router,
              const std::vector<MeshClass>& classes)
      : m_(m),
        p_(p),
        router_(router),
        classes_(classes),
        shape_{.vcs = router.vcs,
               .destination_bits = number_bits(nodes_of(p)),
               .side_bits = router.side_bits,
               .flit_bytes = router.flit_bytes},
        east_(between("eastward", (p.width + 1) * p.height)),
        west_(between("westward", (p.width + 1) * p.height)),
        south_(between("southward", p.width * (p.height + 1))),
        north_(between("northward", p.width * (p.height + 1))),
        entering_(between("entering", nodes_of(p))),
        leaving_(between("leaving", nodes_of(p))),
        errors_(m, "routers", nodes_of(p), router.checks) {}

  void run() {
    routers();
    edges();
    m_.section("The ends of the nodes.");
    if (classes_.size() == 1) {
      straight();
    } else {
      joined();
    }
    if (router_.checks) pass_codes(m_, {errors_.codes(), strays()});
  }

 private:
  Link between(const std::string& name, int count) { return {m_, name, shape_, Link::Made::wires, count}; }

  // Of one of the vectors, in the loops of rows and of columns.
  Link link(const Link& links, const std::vector<rtl::Step>& steps, int first) const {
    return links.one([&](const Expr& vector, int width) { return vector.stepped(steps, first, width); });
  }

  void routers() {
    const rtl::Module router = mesh_router(router_, m_.name() + "_router");
    const int column_bits = number_bits(p_.width), row_bits = number_bits(p_.height);
    const Expr columns = m_.table("COLUMNS", column_bits, in_order(p_.width), "numbers of the columns"),
               rows = m_.table("ROWS", row_bits, in_order(p_.height), "numbers of the rows");
    m_.repeat("rows", p_.height, "Routers by row and column, row 0 in the north.", [&](const Expr& r) {
      m_.repeat("columns", p_.width, "The routers of a row.", [&](const Expr& c) {
        const std::vector<rtl::Step> node{{r, p_.width}, {c, 1}}, border{{r, 1}, {c, p_.height}};
        Pins pins{{"column", columns.part(c, column_bits)}, {"row", rows.part(r, row_bits)}};
        const auto pair = [&](int port, const Link& in, const Link& out) {
          append(pins, in.pins(fmt::format("in{}", port), true, false));
          append(pins, out.pins(fmt::format("out{}", port), true, false));
        };
        pair(mesh_local, link(entering_, node, 0), link(leaving_, node, 0));
        pair(mesh_north, link(south_, node, 0), link(north_, node, 0));
        pair(mesh_east, link(west_, border, p_.height), link(east_, border, p_.height));
        pair(mesh_south, link(north_, node, p_.width), link(south_, node, p_.width));
        pair(mesh_west, link(east_, border, 0), link(west_, border, 0));
        append(pins, errors_.pins([&](const Expr& all, int width) { return all.stepped(node, 0, width); }));
        m_.instance(router, "router", pins, "The router of a node.");
      });
    });
  }

  // Nodes that do not take a class.
  Expr without(std::size_t c) const {
    std::vector<std::uint64_t> nodes(static_cast<std::size_t>(nodes_of(p_) + 63) / 64);
    for (const int n : others({&classes_[c].nodes.sinks}))
      nodes[static_cast<std::size_t>(n) / 64] |= std::uint64_t{1} << n % 64;
    return rtl::wide_lit(nodes_of(p_), nodes);
  }

  // A flit arrives where nobody takes it: at a node, or beyond the last row.
  std::optional<Expr> strays() {
    m_.section("Flits for nobody.");
    const int nodes = nodes_of(p_), bits = bits_to_number(router_.vcs);
    Expr closed = without(0);
    if (classes_.size() > 1) {
      const Expr second =
          m_.wire("of_second", nodes, "the flit that leaves at a node is of the second class");
      const Expr first_vc = rtl::lit(bits, static_cast<std::uint64_t>(router_.vcs) / 2);
      m_.repeat("arrivals", nodes, "VCs of the nodes.",
                [&](const Expr& n) { m_.assign(second.at(n), leaving_["vc"].part(n, bits) >= first_vc); });
      closed = (closed & ~second) | (without(1) & second);
    }
    std::vector<Expr> leave{rtl::any(leaving_["valid"] & closed)};
    if (nodes < 1 << number_bits(nodes))
      leave.push_back(rtl::any(south_["valid"].slice(p_.width * (p_.height + 1) - 1, p_.width * p_.height)));
    return stray_code(m_, leave);
  }

  void edges() {
    edge("north", south_, north_, 0, p_.width);
    edge("south", north_, south_, p_.width * p_.height, p_.width);
    edge("west", east_, west_, 0, p_.height);
    edge("east", west_, east_, p_.width * p_.height, p_.height);
  }

  // Links from number `first` on, beyond which nobody is.
  void edge(const std::string& side, const Link& into, const Link& out, int first, int count) {
    const auto links = [&](const Expr& vector, int width) {
      return vector.slice((first + count) * width - 1, first * width);
    };
    m_.section(fmt::format("The {} edge.", side));
    nobody_sends(m_, into.one(links), side + "_edge_credits");
    nobody_takes(m_, out.one(links), side + "_edge_flits");
  }

  // Nodes in the loop `name`.
  struct Nodes {
    std::string name;
    std::vector<int> numbers;
  };

  Link at(const Link& links, const Expr& loop, const Nodes& nodes) {
    return links.one(
        in_rounds(m_, loop, nodes.numbers, "NODE_OF_" + capitals(nodes.name), "nodes of " + nodes.name));
  }

  void connect(const Link& from, const Link& to) {
    to.each([&](LinkField field, const Expr& e) {
      const Expr& other = from[field];
      m_.assign(field.goes_back() ? other : e, field.goes_back() ? e : other);
    });
  }

  // One class needs no joining: its links are those of the routers.
  void straight() {
    const MeshClass& only = classes_[0];
    const Nodes senders{"senders", only.nodes.senders}, sinks{"receivers", only.nodes.sinks};
    m_.repeat(senders.name, static_cast<int>(senders.numbers.size()), "Flits of senders.",
              [&](const Expr& n) { connect(side(only.in, n), at(entering_, n, senders)); });
    m_.repeat(sinks.name, static_cast<int>(sinks.numbers.size()), "Flits for receivers.", [&](const Expr& n) {
      const Link from = at(leaving_, n, sinks);
      connect(from, side(only.out, n));
      m_.unused("unused_destination", from["destination"], "always the node");
    });
    close("without_sender", others({&senders.numbers}), true, false);
    close("without_receiver", others({&sinks.numbers}), false, true);
  }

  // The links of the classes, each in its round.
  static Link side(const Link& links, const Expr& loop) {
    return links.one([&](const Expr& vector, int width) { return vector.part(loop, width); });
  }

  std::vector<int> others(const std::vector<const std::vector<int>*>& than) const {
    std::vector<int> nodes;
    for (int n = 0; n < nodes_of(p_); ++n)
      if (std::ranges::none_of(than, [n](const auto* known) { return std::ranges::count(*known, n) > 0; }))
        nodes.push_back(n);
    return nodes;
  }

  void close(const std::string& name, const std::vector<int>& numbers, bool senders, bool sinks) {
    if (numbers.empty()) return;
    const Nodes nodes{name, numbers};
    const auto body = [&](const Expr& n) {
      if (senders) nobody_sends(m_, at(entering_, n, nodes), name + "_credits");
      if (sinks) nobody_takes(m_, at(leaving_, n, nodes), name + "_flits");
    };
    if (numbers.size() > 1)
      m_.repeat(name, static_cast<int>(numbers.size()), "Nodes " + spaced(name) + ".", body);
    else
      body({});
  }

  static std::string spaced(std::string name) {
    std::ranges::replace(name, '_', ' ');
    return name;
  }

  // Which classes a node sends and takes: a bit for each, receivers above.
  using Kind = unsigned;
  bool sends(Kind kind, std::size_t c) const { return kind >> c & 1; }
  bool takes(Kind kind, std::size_t c) const { return kind >> (classes_.size() + c) & 1; }

  Kind kind_of(int node) const {
    Kind kind = 0;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      if (std::ranges::count(classes_[c].nodes.senders, node)) kind |= 1u << c;
      if (std::ranges::count(classes_[c].nodes.sinks, node)) kind |= 1u << (classes_.size() + c);
    }
    return kind;
  }

  // Several classes, and a module that joins a node's parts to its router: one for all nodes that send
  // and take the same.
  void joined() {
    std::vector<std::pair<Kind, std::vector<int>>> kinds;  // in the order of their first nodes
    for (int n = 0; n < nodes_of(p_); ++n) {
      const Kind kind = kind_of(n);
      auto known = std::ranges::find(kinds, kind, &std::pair<Kind, std::vector<int>>::first);
      if (known == kinds.end()) known = kinds.insert(kinds.end(), {kind, {}});
      known->second.push_back(n);
    }
    for (const auto& [kind, nodes] : kinds) {
      if (kind)
        ports(kind, nodes);
      else
        close("without_parts", nodes, true, true);
    }
  }

  void ports(Kind kind, const std::vector<int>& numbers) {
    MeshPortParams port{.router = shape_, .vc_depth = p_.vc_flits};
    std::string which, messages;
    bool any_sends = false, any_takes = false;
    const auto add = [&](const char* what, const char* way, std::size_t c, bool& any) {
      which += fmt::format("_{}{}", way, c);
      messages += fmt::format("{}{} {}", messages.empty() ? "" : ", ", what, classes_[c].name);
      any = true;
    };
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      port.classes.push_back(classes_[c].sent);
      port.sends.push_back(sends(kind, c));
      port.takes.push_back(takes(kind, c));
      if (sends(kind, c)) add("send", "in", c, any_sends);
      if (takes(kind, c)) add("take", "out", c, any_takes);
    }
    const rtl::Module module = mesh_port(port, m_.name() + "_port" + which);
    const Nodes nodes{fmt::format("ends{}", ends_++), numbers};
    m_.repeat(nodes.name, static_cast<int>(numbers.size()), fmt::format("Nodes that {}.", messages),
              [&](const Expr& n) {
                const Link to = at(entering_, n, nodes), from = at(leaving_, n, nodes);
                Pins pins;
                for (std::size_t c = 0; c < classes_.size(); ++c) append(pins, ends(kind, c, n, nodes));
                if (any_sends)
                  append(pins, to.pins("to_router", true, false));
                else
                  nobody_sends(m_, to, nodes.name + "_credits");
                if (any_takes) {
                  append(pins, from.pins("from_router", false, false));
                  m_.unused("unused_destination_of_" + nodes.name, from["destination"], "always the node");
                } else {
                  nobody_takes(m_, from, nodes.name + "_flits");
                }
                m_.instance(module, nodes.name + "_port", pins, "The end of a node.");
              });
  }

  // Pins of the nodes' parts that send and take a class.
  Pins ends(Kind kind, std::size_t c, const Expr& loop, const Nodes& nodes) {
    Pins pins;
    const auto add = [&](const Link& links, const std::vector<int>& all, const std::string& pin) {
      std::vector<int> numbers;
      for (const int node : nodes.numbers)
        numbers.push_back(static_cast<int>(std::ranges::find(all, node) - all.begin()));
      const Link link = links.one(
          in_rounds(m_, loop, numbers, capitals(pin + "_of_" + nodes.name), "links of " + nodes.name));
      append(pins, link.pins(pin, true, false));
    };
    if (sends(kind, c)) add(classes_[c].in, classes_[c].nodes.senders, fmt::format("send{}", c));
    if (takes(kind, c)) add(classes_[c].out, classes_[c].nodes.sinks, fmt::format("take{}", c));
    return pins;
  }

  rtl::Module& m_;
  const MeshParams& p_;
  const MeshRouterParams& router_;
  const std::vector<MeshClass>& classes_;
  const FlitShape shape_;
  const Link east_, west_, south_, north_;
  const Link entering_, leaving_;  // routers' local ports
  const ErrorWires errors_;
  int ends_ = 0;
};

}  // namespace

void add_mesh(rtl::Module& m, const MeshParams& p, const MeshRouterParams& router,
              const std::vector<MeshClass>& classes) {
  MeshNetwork(m, p, router, classes).run();
}

}  // namespace hw
