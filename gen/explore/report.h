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

// What the runs are, a line: all of one exploration are of the same kind.
std::string explore_head(const RunResult& first);

// File names without folder and ending, where that still tells all of them apart.
std::vector<std::string> short_names(const std::vector<std::string>& names);

// A run under the names that tables and pictures show, and its sums.
struct NamedRun {
  const RunResult* run;
  std::string trace, configuration;
  SmResult total;
  Traffic traffic;
};
std::vector<NamedRun> named_runs(const std::vector<RunResult>& results);
// ", SM 0", where a run has several caches of which the first is meant.
std::string of_first_cache(const RunResult& run);

}  // namespace gen
