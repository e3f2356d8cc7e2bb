// The family of controllers of integrated adaptive cache management for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& iacm_controller_unit();

}  // namespace gen
