// The family of page placement for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& blpp_unit();

}  // namespace gen
