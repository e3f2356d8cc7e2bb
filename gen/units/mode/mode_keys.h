// Keys of the selector between fine and coarse accesses, alone and inside a cache (TSC paper, section 3).
#pragma once
#include "gen/config/family.h"

namespace gen {

inline constexpr const char* mode_source = "TSC, section 3 (TSC+)";

const Family& mode_family();

KeyInfo fine_sets_key();
KeyInfo coarse_sets_key();
KeyInfo mode_threshold_key();

}  // namespace gen
