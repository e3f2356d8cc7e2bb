// The family of routers of a mesh for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& mesh_router_unit();

}  // namespace gen
