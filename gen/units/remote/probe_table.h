// The family of probe tables for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& probe_table_unit();

}  // namespace gen
