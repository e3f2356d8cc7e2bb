// The family of probe handlers for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& probe_handler_unit();

}  // namespace gen
