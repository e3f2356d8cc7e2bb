#include "hw/noc/mesh_router.h"

#include <fmt/format.h>

#include "hw/noc/noc_ranges.h"
#include "hw/noc/routed_switch.h"
#include "hw/prim/constant_modulus.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"
#include "hw/shared/shared_ranges.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux;

constexpr int port_bits = 3;
constexpr const char* sides[mesh_ports] = {"local", "north", "east", "south", "west"};

int node_bits(const MeshRouterParams& p) { return bits_to_number(p.width * p.height); }

CrossbarParams crossbar_of(const MeshRouterParams& p) {
  return {.inputs = mesh_ports,
          .outputs = mesh_ports,
          .flit_bytes = p.flit_bytes,
          .side_bits = node_bits(p) + p.side_bits,
          .vcs = p.vcs,
          .vc_depth = p.vc_flits,
          .checks = p.checks};
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

}  // namespace

void check(const MeshRouterParams& p) {
  require_in(MeshSizeRanges::width, "mesh.width", p.width, "use 6");
  require_in(MeshSizeRanges::height, "mesh.height", p.height, "use 6");
  require_in(MeshRanges::router_vcs, "mesh.vcs", p.vcs, "use 4");
  require(p.vcs == 1 || p.vcs % 2 == 0, "mesh.vcs", p.vcs,
          "must be even: half of the VCs is for either class of messages", "use 4");
  require_in(MeshRanges::vc_flits, "mesh.vc_flits", p.vc_flits, "use 4");
  require_in(MeshRanges::link_stages, "mesh.link_stages", p.link_stages, "use 1");
  require_in(MeshRanges::flit_bytes, "crossbar.flit_bytes", p.flit_bytes,
             "use 32, a chunk of the reference cache");
  require_in(MeshRanges::side_bits, "crossbar.side_bits", p.side_bits, "use 0 for nothing beside the data");
}

rtl::Module mesh_router(const MeshRouterParams& p, const std::string& name) {
  check(p);
  rtl::Module m(
      name,
      fmt::format("Router of a mesh of {} x {}: {} virtual channel{} of {} flits of {} bytes, which packets "
                  "keep (DC-L1 thesis, chapter 4).",
                  p.width, p.height, p.vcs, p.vcs == 1 ? "" : "s", p.vc_flits, p.flit_bytes));
  const Expr column = m.input("column", bits_to_number(p.width), "where the router stands; constant");
  const Expr row = m.input("row", bits_to_number(p.height), "where the router stands; constant");
  RoutedSwitch made{.crossbar = crossbar_of(p),
                    .crossbar_name = name + "_crossbar",
                    .destination_bits = node_bits(p),
                    .side_bits = p.side_bits,
                    .link_stages = p.link_stages,
                    .route = route_module(p, name + "_route"),
                    .constants = {{"column", column}, {"row", row}},
                    .destination = "node that its packet goes to; on heads",
                    .links = "Links to other routers."};
  for (int n = 0; n < mesh_ports; ++n)
    made.ports.push_back(
        {.where = sides[n], .links_credits = n != mesh_local, .links_flits = n != mesh_local});
  add_routed_switch(m, made);
  return m;
}

}  // namespace hw
