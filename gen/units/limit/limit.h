// The family of warp limiters for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& warp_limit_unit();

}  // namespace gen
