// Routers of meshes (DC-L1 thesis, chapter 4).
#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/check_keys.h"
#include "gen/units/mesh/flit_keys.h"
#include "gen/units/mesh/flit_wires.h"
#include "gen/units/shared/shared_keys.h"
#include "hw/noc/mesh_router.h"

namespace gen {
namespace {

using hw::MeshRouterParams;

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

std::vector<Key> router_keys() {
  std::vector<Key> keys;
  for (const auto& [info, member] : {std::pair(mesh_width_key(), &MeshRouterParams::width),
                                     std::pair(mesh_height_key(), &MeshRouterParams::height)}) {
    keys.push_back(field<MeshRouterParams>(info, member));
    keys.back().depends = false;
  }
  add_flits<MeshRouterParams>(keys);
  keys.push_back(field<MeshRouterParams>(check_ports_key(), &MeshRouterParams::checks));
  return keys;
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::MeshRouterParams>(
      elaborated, cosim, "is a part of a network: recorded cache traffic needs a cache; use --random");
  return table;
}

const Family& family() {
  static const Family family{.name = "router of a mesh",
                             .doc = "moves packets of flits between neighbours, along rows first",
                             .defaults = MeshRouterParams{},
                             .unit = kind,
                             .keys = router_keys()};
  return family;
}

}  // namespace

std::vector<Preset> mesh_router_unit() {
  return {{.place = 430,
           .name = "mesh_router",
           .family = &family(),
           .doc = "router of a mesh: rows first, packets keep their virtual channels",
           .source = "DC-L1 thesis, chapter 4"}};
}

}  // namespace gen
