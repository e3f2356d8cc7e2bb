// The family of written filters for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& written_filter_unit();

}  // namespace gen
