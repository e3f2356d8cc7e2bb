// The family of selectors between fine and coarse accesses for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& mode_unit();

}  // namespace gen
