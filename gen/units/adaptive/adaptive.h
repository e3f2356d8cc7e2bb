// The family of adaptive-indexing monitors for the commands; what each function is for stands in
// gen/units/index/index.h.
#pragma once
#include <string>
#include <vector>

#include "gen/area/synthesis.h"
#include "gen/unit.h"
#include "hw/adaptive/adi_monitor_params.h"

namespace gen {

Unit elaborate(const hw::AdiMonitorParams& p, const std::string& top);
std::string replay_refusal(const hw::AdiMonitorParams& p);
std::string cosim_main(const hw::AdiMonitorParams& p, const std::string& probes);

// None: there is no plainer form to compare with.
std::vector<AreaRequest> plain_forms(const hw::AdiMonitorParams& p, const std::string& top,
                                     std::uint32_t order);

// Storage of the monitor, alone or inside a cache: the thesis counts the first three.
std::vector<StorageAccount> storage_accounts(const hw::AdiMonitorParams& p);
nlohmann::ordered_json adaptive_facts(const hw::AdiMonitorParams& p);

std::string cpp_params(const hw::AdiMonitorParams& p);

}  // namespace gen
