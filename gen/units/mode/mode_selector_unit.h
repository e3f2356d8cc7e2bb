// The selector between fine and coarse accesses, alone and inside a cache (TSC paper, section 3).
#pragma once
#include "gen/config/key.h"
#include "gen/unit/unit.h"
#include "hw/mode/mode_selector_params.h"

namespace gen {

inline constexpr const char* mode_source = "TSC, section 3 (TSC+)";

KeyInfo fine_sets_key();
KeyInfo coarse_sets_key();
KeyInfo mode_threshold_key();

// Puts the automatic sampler sets in the place of empty lists, where there are sets enough for any.
void resolve_samplers(const hw::ModeSelectorParams& p, hw::SetList& fine, hw::SetList& coarse);

// The counters of mode selection, one set of them for all caches of a GPU.
StorageAccount selector_account();

}  // namespace gen
