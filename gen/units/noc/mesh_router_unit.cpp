// Routers of meshes (DC-L1 thesis, chapter 4).
#include <fmt/format.h>

#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/common_keys.h"
#include "gen/units/noc/flit_keys.h"
#include "hw/noc/mesh_router.h"
#include "hw/shared/shared_ranges.h"

namespace gen {

KeyInfo mesh_width_key() {
  return {.key = "mesh.width",
          .range = hw::MeshSizeRanges::width,
          .depends = true,
          .unit = "routers",
          .meaning = "Routers in a row; node n stands in column n mod width.",
          .source = "DC-L1 thesis, chapter 4",
          .suffix = "width"};
}

KeyInfo mesh_height_key() {
  return {.key = "mesh.height",
          .range = hw::MeshSizeRanges::height,
          .depends = true,
          .unit = "routers",
          .meaning = "Rows of routers; node n stands in row n div width.",
          .source = "DC-L1 thesis, chapter 4",
          .suffix = "height"};
}

KeyInfo mesh_vcs_key() {
  return {.key = "mesh.vcs",
          .range = hw::MeshRanges::vcs,
          .depends = true,
          .unit = "channels",
          .meaning =
              "Virtual channels of each port, an even number: in a mesh half of them for either class of "
              "messages.",
          .source = "DC-L1 thesis, chapter 4",
          .suffix = "v"};
}

KeyInfo mesh_vc_flits_key() {
  return {.key = "mesh.vc_flits",
          .range = hw::MeshRanges::vc_flits,
          .unit = "flits",
          .meaning = "Flits of an input VC.",
          .source = "DC-L1 thesis, chapter 4",
          .suffix = "d"};
}

KeyInfo mesh_link_stages_key() {
  return {
      .key = "mesh.link_stages",
      .range = hw::MeshRanges::link_stages,
      .unit = "registers",
      .meaning =
          "Registers of a link between routers, or between stages of switches, for flits and for credits.",
      .source = "DC-L1 thesis, chapter 4",
      .suffix = "link"};
}

// A field without bits is a variable that nobody reads.
std::string flit_wires(int count, bool sides) {
  const auto ports = [&](const char* side, const char* way) {
    std::string visits;
    for (int n = 0; n < count; ++n)
      visits += fmt::format(
          "    visit({0}, d.{1}{0}_valid, d.{1}{0}_vc, d.{1}{0}_head, d.{1}{0}_tail, d.{1}{0}_destination, "
          "{2}, "
          "d.{1}{0}_data, d.{1}{0}_credit_valid, d.{1}{0}_credit_vc);\n",
          n, way, sides ? fmt::format("d.{}{}_side", way, n) : "absent");
    return fmt::format(
        "  template <class D, class Visit>\n  static void each_{}(D& d, const Visit& visit) {{\n"
        "    [[maybe_unused]] unsigned char absent = 0;\n{}  }}\n",
        side, visits);
  };
  return fmt::format("struct Ports {{\n{}{}}};\n", ports("input", "in"), ports("output", "out"));
}

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
