// The family of adaptive warp limiters for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& awl_unit();

// What a limiter stores, in flops.
std::vector<StorageAccount> storage_accounts(const hw::AwlParams& p);

}  // namespace gen
