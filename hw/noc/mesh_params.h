// Parameters of a mesh of routers (DC-L1 thesis, chapter 4), shared by the hardware and its reference model.
#pragma once
#include "hw/shared/route_params.h"

namespace hw {

struct MeshParams {
  int width = 6;   // 2 to 16
  int height = 6;  // 2 to 16
  MemoryNodes memory_nodes = RouteParams{}.memory_nodes;
  int vcs = 4;          // V of a port: an equal part for each class of messages; two have 2 to 8, one has 1
  int vc_flits = 4;     // 1 to 16
  int clock_ratio = 2;  // cycles of clk to one of the mesh, 1 to 4
  int link_stages = 1;  // 0 to 3

  bool operator==(const MeshParams&) const = default;
};

constexpr int nodes_of(const MeshParams& p) { return p.width * p.height; }

}  // namespace hw
