#include "gen/config/shown.h"

#include <map>

namespace gen {

// Smaller ones of presets with dozens of cores.
Config load_shown(const std::string& preset) {
  static const std::vector<std::string> six_on_a_mesh{"topology.cores=6", "topology.slices=2", "mesh.width=3",
                                                      "mesh.height=3", "mesh.memory_nodes=[4, 2]"};
  static const std::map<std::string, std::vector<std::string>> smaller{
      {"dc_l1", {"topology.cores=16", "topology.nodes=8", "topology.slices=8", "topology.clusters=4"}},
      {"shared_l1", six_on_a_mesh},
      {"remote_core", six_on_a_mesh},
      {"butterfly", {"butterfly.radix=2"}}};
  const auto settings = smaller.find(preset);
  return settings == smaller.end() ? load_config(preset) : load_config(preset, settings->second);
}

}  // namespace gen
