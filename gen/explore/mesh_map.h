// A chart of what went over a mesh and what its homes served.
#pragma once
#include <optional>
#include <string>

#include "gen/charts/chart.h"
#include "gen/explore/result.h"

namespace gen {

// None where there is no mesh.
std::optional<Chart> mesh_map(const std::string& title, const TopologyResult& topology);

}  // namespace gen
