// The protection-distance bypass: its key and storage, for caches with it (ACI thesis, section 4.2.5).
#pragma once
#include "gen/config/key.h"
#include "gen/unit/unit.h"
#include "hw/policy/protection_distance_params.h"

namespace gen {

KeyInfo distance_key();

// What the distances of lines take, in flops.
StorageAccount protection_account(const hw::ProtectionDistanceParams& p);

}  // namespace gen
