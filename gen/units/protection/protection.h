// The family of protection-distance units for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& protection_unit();

// What the distances of lines take, in flops.
StorageAccount protection_account(const hw::ProtectionDistanceParams& p);

}  // namespace gen
