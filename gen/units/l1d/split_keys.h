// Keys of an L1 data cache with split tags, and of fine or coarse accesses (TSC paper, section 3).
#pragma once
#include <vector>

#include "gen/config/family.h"
#include "gen/config/key.h"
#include "hw/l1d/l1d_params.h"

namespace gen {

void add_split_keys(std::vector<Key>& keys);
void settle_split(hw::L1dParams& p);
void resolve_split(hw::L1dParams& p);
void check_given_split(const Values& given, const hw::L1dParams& p);

}  // namespace gen
