// The results of an exploration as JSON, as a table, and as bar charts in SVG or in a page that needs no
// other file.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gen/explore/result.h"

namespace gen {

nlohmann::ordered_json explore_json(const std::vector<RunResult>& results);
std::string explore_table(const std::vector<RunResult>& results);
std::string explore_svg(const std::vector<RunResult>& results);
std::string explore_html(const std::vector<RunResult>& results);

// File names without folder and ending, where that still tells all of them apart.
std::vector<std::string> short_names(const std::vector<std::string>& names);

}  // namespace gen
