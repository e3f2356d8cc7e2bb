#include "gen/config/shown.h"

namespace gen {

Config load_shown(const std::string& preset) {
  if (preset != "dc_l1") return load_config(preset);
  return load_config(preset,
                     {"topology.cores=16", "topology.nodes=8", "topology.slices=8", "topology.clusters=4"});
}

}  // namespace gen
