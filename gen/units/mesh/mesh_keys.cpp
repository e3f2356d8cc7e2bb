#include "gen/units/mesh/mesh_keys.h"

#include "gen/units/l1d/check_keys.h"
#include "gen/units/mesh/butterfly.h"
#include "gen/units/mesh/mesh_router.h"
#include "gen/units/shared/shared_keys.h"

namespace gen {
namespace {

using hw::ButterflyParams, hw::MeshRouterParams;

// What flits are made of, and what queues and links there are for them; `P` holds it as its own.
template <class P>
void add_flits(std::vector<Key>& keys) {
  const auto add = [&](const char* name, std::int64_t min, std::int64_t max, const char* unit,
                       const char* meaning, const char* suffix, int P::*member) {
    keys.push_back(field<P>({.key = name,
                             .min = min,
                             .max = max,
                             .unit = unit,
                             .meaning = meaning,
                             .source = "DC-L1 thesis, chapter 4",
                             .suffix = suffix},
                            member));
  };
  keys.push_back(field<P>(mesh_vcs_key(), &P::vcs));
  keys.push_back(field<P>(mesh_vc_flits_key(), &P::vc_flits));
  keys.push_back(field<P>(mesh_link_stages_key(), &P::link_stages));
  add("crossbar.flit_bytes", 1, 256, "bytes", "Data of a flit.", "f", &P::flit_bytes);
  add("crossbar.side_bits", 0, 504, "bits", "Control that travels beside the data of a flit.", "s",
      &P::side_bits);
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

std::vector<Key> butterfly_keys() {
  const auto of_size = [](auto member) {
    return [member](auto& p) -> auto& { return p.size.*member; };
  };
  std::vector<Key> keys{field<ButterflyParams>(butterfly_radix_key(), of_size(&hw::ButterflySize::radix)),
                        field<ButterflyParams>(butterfly_stages_key(), of_size(&hw::ButterflySize::stages))};
  add_flits<ButterflyParams>(keys);
  return keys;
}

}  // namespace

const Family& mesh_router_family() {
  static const Family family{.name = "router of a mesh",
                             .doc = "moves packets of flits between neighbours, along rows first",
                             .defaults = MeshRouterParams{},
                             .unit = mesh_router_unit,
                             .keys = router_keys()};
  return family;
}

const Family& butterfly_family() {
  static const Family family{.name = "butterfly of switches",
                             .doc = "moves packets of flits through stages of small crossbars",
                             .defaults = ButterflyParams{},
                             .unit = butterfly_unit,
                             .keys = butterfly_keys()};
  return family;
}

}  // namespace gen
