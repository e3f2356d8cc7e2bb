// The family of AXI4 bridges for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& axi4_bridge_unit();

}  // namespace gen
