// The family of cores that search each other's L1s for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& remote_node_unit();

}  // namespace gen
