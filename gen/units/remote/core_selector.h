// The family of core selectors for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& core_selector_unit();

}  // namespace gen
