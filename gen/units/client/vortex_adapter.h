// The family of adapters of a GPU core's bus for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& vortex_adapter_unit();

}  // namespace gen
