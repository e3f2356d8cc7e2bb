// A router of a mesh: packets go along the row first, then along the column, and keep their virtual channel
// (DC-L1 thesis, chapter 4; docs/contracts/mesh.md).
//
// Ports: `column` and `row`, constant, where the router stands; inputs and outputs 0 (local), 1 (north), 2
// (east), 3 (south), 4 (west) as those of the crossbar (hw/noc/vc_crossbar.h), with the number of the node as
// `_destination` on either side and no `_source`.
#pragma once
#include <string>

#include "hw/noc/mesh_router_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no router can be built from the parameters.
void check(const MeshRouterParams& p);

// Checks the parameters and builds the unit as module `name`.
rtl::Module mesh_router(const MeshRouterParams& p, const std::string& name);

}  // namespace hw
