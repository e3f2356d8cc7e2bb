// Keys of meshes and of their routers (DC-L1 thesis, chapter 4).
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& mesh_router_family();

}  // namespace gen
