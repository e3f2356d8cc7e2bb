// A node's end of a mesh: the classes of messages that its parts send and take, joined to one link of its
// router (DC-L1 thesis, chapter 4; docs/contracts/mesh.md).
#pragma once
#include <vector>

#include "hw/noc/packet.h"

namespace hw {

struct MeshPortParams {
  FlitShape router = {};                     // of the router's link
  std::vector<FlitShape> classes = {};       // of the classes' links: an equal part of the router's VCs each
  int vc_depth = 1;                          // flits of a VC at a receiver
  std::vector<bool> sends = {}, takes = {};  // by class, which there are at this node
};

// Links `send<c>`, `take<c>` of the classes, `to_router` and `from_router`.
rtl::Module mesh_port(const MeshPortParams& p, const std::string& name);

}  // namespace hw
