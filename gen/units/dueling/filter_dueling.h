// The family of filter-dueling units for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& filter_dueling_unit();

}  // namespace gen
