#include "hw/noc/mesh_router.h"

#include <fmt/format.h>

#include "hw/noc/link.h"
#include "hw/noc/vc_choice.h"
#include "hw/noc/vc_crossbar.h"
#include "hw/prim/constant_modulus.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux;

constexpr int port_bits = 3;
constexpr const char* sides[mesh_ports] = {"local", "north", "east", "south", "west"};

int node_bits(const MeshRouterParams& p) { return bits_to_number(p.width * p.height); }

CrossbarParams crossbar_of(const MeshRouterParams& p) {
  return {.inputs = mesh_ports,
          .outputs = mesh_ports,
          .flit_bytes = p.flit_bytes,
          .side_bits = node_bits(p) + p.side_bits,
          .vcs = p.vcs,
          .vc_depth = p.vc_flits};
}

// Where a head goes: along the row to its column, then along the column.
rtl::Module route_module(const MeshRouterParams& p, const std::string& name) {
  const int column_bits = bits_to_number(p.width), row_bits = bits_to_number(p.height);
  rtl::Module m(name, fmt::format("Output of a head in a mesh of {} x {}: its row first, then its column.",
                                  p.width, p.height));
  const Expr column = m.input("column", column_bits, "column of the router");
  const Expr row = m.input("row", row_bits, "row of the router");
  const Expr destination = m.input("destination", node_bits(p), "node that the packet goes to");
  const Expr port = m.output("port", port_bits, "0 local, 1 north, 2 east, 3 south, 4 west");
  const Number node{destination, 0, node_bits(p)};
  // A value under a name; a net needs no second one.
  const auto net = [&](const std::string& name, const Expr& value, const std::string& doc) {
    return value.node().kind == rtl::Node::Kind::signal ? value : m.let(name, value, doc);
  };
  const Expr to_column = net("to_column", remainder_of(m, "column_of", node, p.width), "column of the node");
  const Expr to_row =
      net("to_row", quotient_of(m, "row_of", node, p.width * p.height, p.width), "row of the node");
  const auto to = [](MeshPort side) { return lit(port_bits, static_cast<std::uint64_t>(side)); };
  const Expr along_column =
      mux(to_row == row, to(mesh_local), mux(to_row < row, to(mesh_north), to(mesh_south)));
  m.assign(port,
           mux(to_column == column, along_column, mux(to_column < column, to(mesh_west), to(mesh_east))));
  return m;
}

class Builder {
 public:
  Builder(const MeshRouterParams& p, const std::string& name)
      : p_(p),
        vc_bits_(bits_to_number(p.vcs)),
        data_bits_(8 * p.flit_bytes),
        m_(name,
           fmt::format(
               "Router of a mesh of {} x {}: {} virtual channels of {} flits of {} bytes, which packets "
               "keep (DC-L1 thesis, chapter 4).",
               p.width, p.height, p.vcs, p.vc_flits, p.flit_bytes)) {}

  rtl::Module run() {
    m_.length_reason("each of five ports has flits, credits and a link of its own");
    column_ = m_.input("column", bits_to_number(p_.width), "where the router stands; constant");
    row_ = m_.input("row", bits_to_number(p_.height), "where the router stands; constant");
    for (int i = 0; i < mesh_ports; ++i) in_.push_back(ports(i, true));
    for (int j = 0; j < mesh_ports; ++j) out_.push_back(ports(j, false));
    m_.section("Routes of heads that enter.");
    const rtl::Module route = route_module(p_, m_.name() + "_route");
    for (int i = 0; i < mesh_ports; ++i) enter(route, i);
    m_.section("Links to other routers.");
    for (int j = 0; j < mesh_ports; ++j) leave(j);
    m_.unused("unused_sources", cat(sources_), "where a flit comes from says nothing of where it goes");
    m_.instance(vc_crossbar(crossbar_of(p_), m_.name() + "_crossbar", kept_vc()), "crossbar", pins_,
                "Flits of all ports.");
    return m_;
  }

 private:
  struct Port {
    Expr valid, vc, head, tail, destination, side, data, credit_valid, credit_vc;
  };

  Port ports(int n, bool enters) {
    const std::string port = fmt::format("{}{}_", enters ? "in" : "out", n);
    const auto flit = [&](const char* name, int width, const std::string& doc) {
      return enters ? m_.input(port + name, width, doc) : m_.output(port + name, width, doc);
    };
    const auto credit = [&](const char* name, int width, const std::string& doc) {
      return enters ? m_.output(port + name, width, doc) : m_.input(port + name, width, doc);
    };
    Port made;
    made.valid = flit(
        "valid", 1, fmt::format("a flit {} {}, {}", enters ? "enters input" : "leaves output", n, sides[n]));
    made.vc = flit("vc", vc_bits_, "VC of the flit");
    made.head = flit("head", 1, "first of its packet");
    made.tail = flit("tail", 1, "last of its packet");
    made.destination = flit("destination", node_bits(p_), "node that its packet goes to; on heads");
    if (p_.side_bits) made.side = flit("side", p_.side_bits, "carried beside the data");
    made.data = flit("data", data_bits_, "data");
    made.credit_valid =
        credit("credit_valid", 1, enters ? "a flit has left its queue" : "the receiver has freed a place");
    made.credit_vc = credit("credit_vc", vc_bits_, enters ? "VC of the queue" : "of this VC");
    return made;
  }

  Expr beside(const Port& port) const { return join_known({port.destination, port.side}); }

  void pin(const std::string& name, const Expr& value) { pins_.emplace_back(name, value); }

  void enter(const rtl::Module& route, int i) {
    const Port& port = in_[static_cast<std::size_t>(i)];
    const Expr output =
        m_.wire(fmt::format("route{}", i), port_bits, fmt::format("output of a head at input {}", i));
    m_.instance(route, fmt::format("route_of{}", i),
                {{"column", column_}, {"row", row_}, {"destination", port.destination}, {"port", output}},
                fmt::format("Of input {}.", i));
    const std::string name = fmt::format("in{}_", i);
    pin(name + "valid", port.valid);
    pin(name + "vc", port.vc);
    pin(name + "head", port.head);
    pin(name + "tail", port.tail);
    pin(name + "destination", output);
    pin(name + "side", beside(port));
    pin(name + "data", port.data);
    const auto linked_credit = linked(name + "credit", i, port.credit_valid, port.credit_vc);
    pin(name + "credit_valid", linked_credit.first);
    pin(name + "credit_vc", linked_credit.second);
  }

  // What drives these ports: a link's far end, or the ports themselves where there is no link.
  std::pair<Expr, Expr> linked(const std::string& name, int n, const Expr& valid, const Expr& word) {
    if (n == mesh_local || p_.link_stages == 0) return {valid, word};
    const Expr from_valid = m_.wire(name + "_sent", 1, fmt::format("for the link {}", sides[n]));
    const Expr from_word =
        m_.wire(name + "_word", word.width(), fmt::format("what the link {} takes", sides[n]));
    m_.instance(link(p_.link_stages, word.width()), name + "_link",
                {{"in_valid", from_valid}, {"in_word", from_word}, {"out_valid", valid}, {"out_word", word}},
                fmt::format("Link {}.", sides[n]));
    return {from_valid, from_word};
  }

  void leave(int j) {
    const Port& port = out_[static_cast<std::size_t>(j)];
    const std::string name = fmt::format("out{}_", j);
    std::vector<Expr> fields{port.vc, port.head, port.tail, port.destination, port.side, port.data};
    std::erase_if(fields, [](const Expr& field) { return !field.known(); });
    int width = 0;
    for (const Expr& field : fields) width += field.width();
    const Expr flit = m_.wire(name + "flit", width, fmt::format("flit of output {}", j));
    int low = width;
    for (const Expr& field : fields) {
      low -= field.width();
      m_.assign(field, flit.slice(low + field.width() - 1, low));
    }
    const auto [valid, word] = linked(name + "flit", j, port.valid, flit);
    const int head_low = width - vc_bits_ - 1, side_width = node_bits(p_) + p_.side_bits;
    pin(name + "valid", valid);
    pin(name + "vc", word.slice(width - 1, width - vc_bits_));
    pin(name + "head", word.bit(head_low));
    pin(name + "tail", word.bit(head_low - 1));
    pin(name + "side", word.slice(data_bits_ + side_width - 1, data_bits_));
    pin(name + "data", word.slice(data_bits_ - 1, 0));
    sources_.push_back(m_.wire(name + "source", port_bits, "input of the flit"));
    pin(name + "source", sources_.back());
    pin(name + "credit_valid", port.credit_valid);
    pin(name + "credit_vc", port.credit_vc);
  }

  const MeshRouterParams& p_;
  const int vc_bits_, data_bits_;
  rtl::Module m_;
  Expr column_, row_;
  std::vector<Port> in_, out_;
  std::vector<Expr> sources_;
  std::vector<std::pair<std::string, Expr>> pins_;  // of the crossbar
};

}  // namespace

void check(const MeshRouterParams& p) {
  const auto within = [](int value, const char* key, int low, int high, const char* remedy) {
    require(value >= low && value <= high, key, value, fmt::format("must be from {} to {}", low, high),
            remedy);
  };
  within(p.width, "mesh.width", 2, 16, "use 6");
  within(p.height, "mesh.height", 2, 16, "use 6");
  within(p.vcs, "mesh.vcs", 2, 8, "use 4");
  require(p.vcs % 2 == 0, "mesh.vcs", p.vcs, "must be even: half of the VCs is for either class of messages",
          "use 4");
  within(p.vc_flits, "mesh.vc_flits", 1, 16, "use 4");
  within(p.link_stages, "mesh.link_stages", 0, 3, "use 1");
  within(p.flit_bytes, "crossbar.flit_bytes", 1, 256, "use 32, a chunk of the reference cache");
  within(p.side_bits, "crossbar.side_bits", 0, 504, "use 0 for nothing beside the data");
}

rtl::Module mesh_router(const MeshRouterParams& p, const std::string& name) {
  check(p);
  return Builder(p, name).run();
}

}  // namespace hw
