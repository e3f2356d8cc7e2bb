// A picture of what went over a mesh and what its homes served.
#pragma once
#include "gen/drawing.h"
#include "gen/explore/result.h"

namespace gen {

// Nothing where there is no mesh.
void draw_mesh_map(Chart& chart, const TopologyResult& topology);

}  // namespace gen
