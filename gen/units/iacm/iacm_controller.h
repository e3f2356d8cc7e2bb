// The family of controllers of integrated adaptive cache management for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& iacm_controller_unit();

// What a controller stores, in flops, its warp limiting included.
std::vector<StorageAccount> storage_accounts(const hw::IacmParams& p);

}  // namespace gen
