// What a run in a system came to beside its caches, written as JSON and read back.
#pragma once
#include <nlohmann/json.hpp>

#include "golden/gpu/system/cycle_causes.h"
#include "golden/gpu/system/memory_figures.h"

namespace verif {

struct SystemReport {
  golden::SystemMemoryFigures memory;
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  golden::IssueCycles issue_cycles;  // of all schedulers
  golden::CycleCauses causes;        // of all SMs
};

nlohmann::ordered_json json_of(const SystemReport& report);
SystemReport system_report_of(const nlohmann::ordered_json& json);

}  // namespace verif
