// Parameters of a mesh of routers (DC-L1 thesis, chapter 4), shared by the hardware and its reference model.
#pragma once
#include "hw/shared/route_params.h"

namespace hw {

struct MeshParams {
  int width = 6;
  int height = 6;
  MemoryNodes memory_nodes = RouteParams{}.memory_nodes;
  int vcs = 4;  // V of a port: an equal part for each class of messages; one class may have 1
  int vc_flits = 4;
  int clock_ratio = 2;  // cycles of clk to one of the mesh
  int link_stages = 1;

  bool operator==(const MeshParams&) const = default;
};

constexpr int nodes_of(const MeshParams& p) { return p.width * p.height; }

}  // namespace hw
