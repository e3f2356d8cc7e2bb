// BUCL's update unit: its keys and storage, for caches with the bypass for un-coalesced loads (BUCL, section
// 4).
#pragma once
#include <vector>
#include "gen/config/key.h"
#include "gen/unit/unit.h"
#include "hw/policy/bucl_params.h"

namespace gen {

// Those of a cache, which count with bypass.kind = "bucl".
std::vector<Key> bucl_keys_of_l1d();

// What the unit stores, as section 5.D of the paper would count it.
std::vector<StorageAccount> storage_accounts(const hw::BuclParams& p);

}  // namespace gen
