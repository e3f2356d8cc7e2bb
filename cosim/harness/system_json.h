// What a run in a system came to beside its caches, in the JSON of reports.
#pragma once
#include <nlohmann/json.hpp>

#include "golden/gpu/system/cycle_causes.h"
#include "golden/gpu/system/memory_figures.h"

namespace verif {

nlohmann::ordered_json json_of(const golden::IssueCycles& cycles);
nlohmann::ordered_json json_of(const golden::CycleCauses& causes);
// Adds "l2", "dram" and "network".
void add_memory(nlohmann::ordered_json& json, const golden::SystemMemoryFigures& memory);

}  // namespace verif
