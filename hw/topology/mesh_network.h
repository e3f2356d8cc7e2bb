// The routers of a mesh with the links between them, and the ends of its nodes (DC-L1 thesis, chapter 4;
// docs/contracts/mesh.md).
#pragma once
#include <string>
#include <vector>

#include "hw/noc/mesh_params.h"
#include "hw/noc/mesh_router_params.h"
#include "hw/topology/fabric.h"

namespace hw {

// One class of messages: its flits as they leave packetisers, and its links side by side.
struct MeshClass {
  std::string name;
  FlitShape sent = {};
  ClassPorts nodes = {};
  Link in, out;
};

// Adds both to `m`; modules of its parts have `m`'s name and more.
void add_mesh(rtl::Module& m, const MeshParams& p, const MeshRouterParams& router,
              const std::vector<MeshClass>& classes);

}  // namespace hw
