// The family of arbiters of shared L1s for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& l1_arbiter_unit();

}  // namespace gen
