#include "gen/units/mesh/mesh_router.h"

#include "gen/units/mesh/flit_wires.h"
#include "hw/noc/mesh_router.h"

namespace gen {
namespace {

Unit elaborated(const hw::MeshRouterParams& p, const std::string& top) {
  return {.top = hw::mesh_router(p, top),
          .latency = 2,
          .facts = {{"cycles_to_the_next_router", 2 + p.link_stages},
                    {"credit_loop_between_routers", 3 + 2 * p.link_stages}}};
}

CosimMain cosim(const hw::MeshRouterParams& p) {
  return cycle_bench("noc/mesh_router_cosim.h", "MeshRouterBench", "MeshRouterParams", p, 200'000,
                     flit_wires(hw::mesh_ports, p.side_bits > 0), true);
}

}  // namespace

const UnitKind& mesh_router_unit() {
  static const UnitKind kind = unit_kind<hw::MeshRouterParams>(
      elaborated, cosim, "is a part of a network: recorded cache traffic needs a cache; use --random");
  return kind;
}

}  // namespace gen
