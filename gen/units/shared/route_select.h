// The family of routes of shared L1s for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& route_select_unit();

}  // namespace gen
