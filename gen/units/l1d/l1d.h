// The family of L1 data caches for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& l1d_unit();

}  // namespace gen
