// The family of BUCL's update units for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& bucl_threshold_unit();

// What the unit stores, as section 5.D of the paper would count it.
std::vector<StorageAccount> storage_accounts(const hw::BuclParams& p);

}  // namespace gen
