// The family of DynEB controllers for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& dyneb_unit();

}  // namespace gen
