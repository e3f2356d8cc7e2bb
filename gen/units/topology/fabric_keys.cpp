#include "gen/units/topology/fabric_keys.h"

#include "gen/units/shared/shared_keys.h"
#include "hw/noc/noc_ranges.h"
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
          .range = hw::MeshRanges::clock_ratio,
          .unit = "cycles",
          .meaning = "Cycles of clk to one in which the networks move.",
          .suffix = "ratio"};
}

}  // namespace

void add_fabrics(std::vector<Key>& keys, const std::vector<std::string>& meshed,
                 const std::vector<std::string>& shared) {
  const auto add = [&](Key key, const std::vector<std::string>& kinds, const char* named_with = nullptr) {
    if (key.source.empty()) key.source = "DC-L1 thesis, chapter 4";
    key.only_with = {"topology.kind", kinds};
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
  KeyInfo vcs = mesh_vcs_key();
  vcs.range = hw::MeshRanges::router_vcs;
  vcs.meaning += " With remote-core probing 1.";
  add(field<TopologyParams>(fabric_key(), fabric), shared);
  add(field<TopologyParams>(mesh_width_key(), of_mesh(&MeshParams::width)), meshed, "mesh");
  add(field<TopologyParams>(mesh_height_key(), of_mesh(&MeshParams::height)), meshed, "mesh");
  add(integers<TopologyParams>(memory_nodes_key(), of_mesh(&MeshParams::memory_nodes)), meshed, "mesh");
  add(field<TopologyParams>(vcs, of_mesh(&MeshParams::vcs)), meshed);
  add(field<TopologyParams>(mesh_vc_flits_key(), of_mesh(&MeshParams::vc_flits)), meshed);
  add(field<TopologyParams>(clock_ratio_key(), of_mesh(&MeshParams::clock_ratio)), meshed);
  add(field<TopologyParams>(mesh_link_stages_key(), of_mesh(&MeshParams::link_stages)), meshed);
  add(field<TopologyParams>(butterfly_radix_key(), of_butterfly(&ButterflySize::radix)), shared, "butterfly");
  add(field<TopologyParams>(butterfly_stages_key(), of_butterfly(&ButterflySize::stages)), shared,
      "butterfly");
}

}  // namespace gen
