// The results of an exploration as JSON, as a table, and as charts in SVG or in a page that needs no
// other file.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "gen/charts/chart.h"
#include "gen/charts/comparison.h"
#include "gen/config/config.h"
#include "gen/explore/result.h"
#include "gen/reports.h"
#include "gen/short_names.h"

namespace gen {

nlohmann::ordered_json explore_json(const std::vector<RunResult>& results);
std::string explore_table(const std::vector<RunResult>& results);
// Figures of the configurations on each trace, which pages compare and pictures show as bars.
ComparisonChart explore_comparison(const std::vector<RunResult>& results, const std::vector<Config>& configs);
// All other charts.
std::vector<Chart> explore_charts(const std::vector<RunResult>& results);
std::string explore_svg(const std::vector<RunResult>& results, const std::vector<Config>& configs);
std::string explore_html(const std::vector<RunResult>& results, const std::vector<Config>& configs,
                         const Origin& origin);

// What the table and the page say.
struct ExploreTable {
  std::string head;  // what the runs are: all of one exploration are of the same kind
  std::vector<std::string> warnings, headings;
  std::vector<std::vector<std::string>> rows;  // trace, configuration and figures
  // Of each run with such monitors, a line about them, and their decisions.
  std::vector<std::pair<std::string, std::vector<std::string>>> decisions;
};
ExploreTable explore_figures(const std::vector<RunResult>& results);

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
