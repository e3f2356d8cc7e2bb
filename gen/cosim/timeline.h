// The timeline of traces on a cache's Verilog as a picture, as that of a model in `explore`.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gen/charts/chart.h"
#include "gen/config/config.h"
#include "gen/cosim/cosim.h"

namespace gen {

// Throws ConfigError where the request has a picture and there is no timeline to draw.
void check_timeline(const Config& config, const CosimRequest& request);

// From the report of a run without mismatches, of the unit that the user named so.
std::vector<Chart> timeline_charts(const std::string& unit, const nlohmann::ordered_json& report);
std::string timeline_svg(const std::string& unit, const nlohmann::ordered_json& report);

}  // namespace gen
