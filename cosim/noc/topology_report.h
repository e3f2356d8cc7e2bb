// What a run of a topology came to beside its caches, for programs, and read back.
#pragma once
#include <nlohmann/json.hpp>

#include "golden/topology/figures.h"

namespace verif {

// Adds "direct" where requests went past all L1s, "homes" where cores are homes, "links" where a mesh joins
// them, "remote" where they search each other's L1s, and "latency" of timed runs. "remote" is not read back:
// it is of untimed runs.
void add_figures(nlohmann::ordered_json& json, const golden::TopologyFigures& figures);
golden::TopologyFigures figures_of(const nlohmann::ordered_json& json);

}  // namespace verif
