#include "gen/units/mesh/mesh_keys.h"

#include "gen/units/mesh/mesh_router.h"
#include "gen/units/shared/shared_keys.h"

namespace gen {
namespace {

using hw::MeshRouterParams;

std::vector<Key> make_keys() {
  std::vector<Key> keys;
  const auto add = [&](const char* name, std::int64_t min, std::int64_t max, const char* unit,
                       const char* meaning, const char* suffix, int MeshRouterParams::*member) {
    keys.push_back(field<MeshRouterParams>({.key = name,
                                            .min = min,
                                            .max = max,
                                            .unit = unit,
                                            .meaning = meaning,
                                            .source = "DC-L1 thesis, chapter 4",
                                            .suffix = suffix},
                                           member));
  };
  for (const auto& [info, member] : {std::pair(mesh_width_key(), &MeshRouterParams::width),
                                     std::pair(mesh_height_key(), &MeshRouterParams::height)}) {
    keys.push_back(field<MeshRouterParams>(info, member));
    keys.back().depends = false;
  }
  keys.push_back(field<MeshRouterParams>(mesh_vcs_key(), &MeshRouterParams::vcs));
  keys.push_back(field<MeshRouterParams>(mesh_vc_flits_key(), &MeshRouterParams::vc_flits));
  keys.push_back(field<MeshRouterParams>(mesh_link_stages_key(), &MeshRouterParams::link_stages));
  add("crossbar.flit_bytes", 1, 256, "bytes", "Data of a flit.", "f", &MeshRouterParams::flit_bytes);
  add("crossbar.side_bits", 0, 504, "bits", "Control that travels beside the data of a flit.", "s",
      &MeshRouterParams::side_bits);
  return keys;
}

}  // namespace

const Family& mesh_router_family() {
  static const Family family{.name = "router of a mesh",
                             .doc = "moves packets of flits between neighbours, along rows first",
                             .defaults = MeshRouterParams{},
                             .unit = mesh_router_unit,
                             .keys = make_keys()};
  return family;
}

}  // namespace gen
