// What BUCL brings to a cache: keys, and storage.
#pragma once
#include <vector>

#include "gen/config/family.h"
#include "gen/unit/unit.h"
#include "hw/l1d/l1d_params.h"

namespace gen {

std::vector<Key> bucl_keys_of_l1d();

// Of the update unit alone, as section 5.D of the paper would count it; of the decision, and an update unit
// inside the cache.
std::vector<StorageAccount> storage_accounts(const hw::BuclParams& p);
std::vector<StorageAccount> bucl_accounts(const hw::L1dParams& p);

// A load that finds no free MSHR; {} stands for what one without a policy does.
inline constexpr const char* bucl_rule_of_full_mshrs =
    "While few loads hit, the load bypasses the cache: it takes no line and no MSHR, and its response goes "
    "to "
    "the core alone. Otherwise: {}";

}  // namespace gen
