// What an L1 data cache stores, counted as the papers count it and beside it; and public caches of the same
// geometry.
#pragma once
#include <vector>

#include "gen/unit/unit.h"
#include "hw/l1d/l1d_params.h"

namespace gen {

// `tag_bits`: the bits that the index leaves to store.
std::vector<StorageAccount> storage_accounts(const hw::L1dParams& p, int tag_bits);

// What a bypass policy stores: its own decision, distances by line, or a threshold unit inside the cache.
void add_bypass_accounts(const hw::L1dParams& p, std::vector<StorageAccount>& accounts);

// Empty unless the cache is of the geometry and has the ports that the figures were made for.
std::vector<PublishedFigure> published_caches(const hw::L1dParams& p);

}  // namespace gen
