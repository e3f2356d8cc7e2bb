// Keys of the selector between fine and coarse accesses, alone and inside a cache (TSC paper, section 3).
#pragma once
#include "gen/config/family.h"
#include "hw/mode/mode_selector_params.h"

namespace gen {

inline constexpr const char* mode_source = "TSC, section 3 (TSC+)";

const Family& mode_family();

KeyInfo fine_sets_key();
KeyInfo coarse_sets_key();
KeyInfo mode_threshold_key();

// Puts the automatic sampler sets in the place of empty lists, where there are sets enough for any.
void resolve_samplers(const hw::ModeSelectorParams& p, hw::SetList& fine, hw::SetList& coarse);

}  // namespace gen
