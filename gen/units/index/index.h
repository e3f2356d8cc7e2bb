// The family of set-index units for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& index_unit_kind();

}  // namespace gen
