// Keys of the L1 data cache.
#pragma once
#include <vector>

#include "gen/config/family.h"

namespace gen {

std::vector<Key> l1d_keys();

// Of its family, which says what they are for.
void settle_l1d(Params& params);
void resolve_l1d(Params& params);
void check_given_l1d(const Values& given, const Params& params);

}  // namespace gen
