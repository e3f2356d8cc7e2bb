// The family of adaptive-indexing monitors for the commands, and what a cache with one tells of it.
#pragma once
#include "gen/units/unit_kind.h"
#include "hw/adaptive/adi_monitor_params.h"

namespace gen {

const UnitKind& adi_unit();

// Storage of the monitor, alone or inside a cache: the thesis counts the first three.
std::vector<StorageAccount> storage_accounts(const hw::AdiMonitorParams& p);
nlohmann::ordered_json adaptive_facts(const hw::AdiMonitorParams& p);

}  // namespace gen
