// Keys of the set-index units (ACI thesis, section 3.2).
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& index_family();

// The taps of kind lin when none are given: index bit i is the XOR of every block-address bit k with k mod S
// = i.
void fold_taps(hw::IndexParams& params);

}  // namespace gen
