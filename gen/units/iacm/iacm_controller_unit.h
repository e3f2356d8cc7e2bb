// The controller of integrated adaptive cache management: its keys and storage, for caches with one (ACI
// thesis, section 4).
#pragma once
#include <vector>
#include "gen/config/key.h"
#include "gen/unit/unit.h"
#include "hw/iacm/iacm_params.h"

namespace gen {

// Of the controller inside a cache: its scope and warps are those of the cache's limit.
std::vector<Key> iacm_keys_of_l1d();

// What a controller stores, in flops, its warp limiting included.
std::vector<StorageAccount> storage_accounts(const hw::IacmParams& p);

}  // namespace gen
