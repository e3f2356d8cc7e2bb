#include "gen/units/mesh/mesh_router.h"

#include "hw/noc/mesh_router.h"

namespace gen {
namespace {

Unit elaborated(const hw::MeshRouterParams& p, const std::string& top) {
  return {.top = hw::mesh_router(p, top),
          .latency = 2,
          .facts = {{"cycles_to_the_next_router", 2 + p.link_stages},
                    {"credit_loop_between_routers", 3 + 2 * p.link_stages}}};
}

// Names the ports for the bench; a field without bits is a variable that nobody reads.
std::string wires(const hw::MeshRouterParams& p) {
  const auto ports = [&](const char* side, const char* way) {
    std::string visits;
    for (int n = 0; n < hw::mesh_ports; ++n)
      visits += fmt::format(
          "    visit({0}, d.{1}{0}_valid, d.{1}{0}_vc, d.{1}{0}_head, d.{1}{0}_tail, d.{1}{0}_destination, "
          "{2}, "
          "d.{1}{0}_data, d.{1}{0}_credit_valid, d.{1}{0}_credit_vc);\n",
          n, way, p.side_bits ? fmt::format("d.{}{}_side", way, n) : "absent");
    return fmt::format(
        "  template <class D, class Visit>\n  static void each_{}(D& d, const Visit& visit) {{\n"
        "    [[maybe_unused]] unsigned char absent = 0;\n{}  }}\n",
        side, visits);
  };
  return fmt::format("struct Ports {{\n{}{}}};\n", ports("input", "in"), ports("output", "out"));
}

CosimMain cosim(const hw::MeshRouterParams& p) {
  return cycle_bench("noc/mesh_router_cosim.h", "MeshRouterBench", "MeshRouterParams", p, 200'000, wires(p),
                     true);
}

}  // namespace

const UnitKind& mesh_router_unit() {
  static const UnitKind kind = unit_kind<hw::MeshRouterParams>(
      elaborated, cosim, "is a part of a network: recorded cache traffic needs a cache; use --random");
  return kind;
}

}  // namespace gen
