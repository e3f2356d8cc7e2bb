// The family of butterflies of switches for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& butterfly_unit();

}  // namespace gen
