// The set-index units, and the index of a cache (ACI thesis, section 3.2).
#pragma once
#include <vector>
#include "gen/config/family.h"
#include "hw/index/index_params.h"

namespace gen {

// The keys that say which function the index is, for a cache: its geometry says the rest.
std::vector<Key> index_keys_of_l1d();

// Puts the default polynomial and the folded taps in the place of "automatic" ones.
void settle_index(hw::IndexParams& params);

// Are the tap lists that the user wrote one list of block-address bits per index bit? Throws hw::ParamError.
void check_given_taps(const Values& given, const hw::IndexParams& params);

// The taps of kind lin when none are given: index bit i is the XOR of every block-address bit k with k mod S
// = i.
void fold_taps(hw::IndexParams& params);

}  // namespace gen
