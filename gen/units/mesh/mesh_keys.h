// Keys of routers of meshes, and of butterflies (DC-L1 thesis, chapter 4).
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& mesh_router_family();
const Family& butterfly_family();

}  // namespace gen
