#include "gen/units/topology/fabric_keys.h"

#include "gen/units/shared/shared_keys.h"
#include "hw/topology/topology_params.h"

namespace gen {
namespace {

using hw::ButterflySize, hw::MeshParams, hw::TopologyParams;

KeyInfo fabric_key() {
  return {.key = "shared.fabric",
          .type = KeyType::choice,
          .choices = {"mesh", "butterfly"},
          .meaning =
              "What joins the cores: meshes, in which slices stand too; or butterflies, with crossbars "
              "to and from the slices.",
          .suffix = ""};
}

KeyInfo clock_ratio_key() {
  return {.key = "mesh.clock_ratio",
          .min = 1,
          .max = 4,
          .unit = "cycles",
          .meaning = "Cycles of clk to one in which the networks move.",
          .suffix = "ratio"};
}

}  // namespace

void add_fabrics(std::vector<Key>& keys, const decltype(KeyInfo::only_with)& only_with) {
  const auto add = [&](Key key, const char* named_with = nullptr) {
    if (key.source.empty()) key.source = "DC-L1 thesis, chapter 4";
    key.only_with = only_with;
    if (named_with) key.named_with = {"shared.fabric", {named_with}};
    keys.push_back(key);
  };
  const auto of_mesh = [](auto member) {
    return [member](auto& p) -> auto& { return p.mesh.*member; };
  };
  const auto of_butterfly = [](auto member) {
    return [member](auto& p) -> auto& { return p.butterfly.*member; };
  };
  const auto fabric = [](auto& p) -> auto& { return p.shared.fabric; };
  add(field<TopologyParams>(fabric_key(), fabric));
  add(field<TopologyParams>(mesh_width_key(), of_mesh(&MeshParams::width)), "mesh");
  add(field<TopologyParams>(mesh_height_key(), of_mesh(&MeshParams::height)), "mesh");
  add(integers<TopologyParams>(memory_nodes_key(), of_mesh(&MeshParams::memory_nodes)), "mesh");
  add(field<TopologyParams>(mesh_vcs_key(), of_mesh(&MeshParams::vcs)));
  add(field<TopologyParams>(mesh_vc_flits_key(), of_mesh(&MeshParams::vc_flits)));
  add(field<TopologyParams>(clock_ratio_key(), of_mesh(&MeshParams::clock_ratio)));
  add(field<TopologyParams>(mesh_link_stages_key(), of_mesh(&MeshParams::link_stages)));
  add(field<TopologyParams>(butterfly_radix_key(), of_butterfly(&ButterflySize::radix)), "butterfly");
  add(field<TopologyParams>(butterfly_stages_key(), of_butterfly(&ButterflySize::stages)), "butterfly");
}

}  // namespace gen
