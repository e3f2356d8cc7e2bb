// The adaptive-indexing monitor: its keys and storage, for caches with one (ACI thesis, section 3.3).
#pragma once
#include <nlohmann/json.hpp>
#include "gen/config/key.h"
#include "gen/unit/unit.h"
#include "hw/adaptive/adi_monitor_params.h"

namespace gen {

KeyInfo adaptive_period_key();
KeyInfo adaptive_counter_bits_key();
KeyInfo adaptive_idle_key();

// Storage of the monitor, alone or inside a cache: the thesis counts the first three.
std::vector<StorageAccount> storage_accounts(const hw::AdiMonitorParams& p);
nlohmann::ordered_json adaptive_facts(const hw::AdiMonitorParams& p);

}  // namespace gen
