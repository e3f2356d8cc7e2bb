#include "gen/study/study_checks.h"

#include <algorithm>

#include "gen/study/pareto.h"

namespace gen {

using Json = nlohmann::ordered_json;

namespace {

// "limit.count=3" as {"limit": {"count": 3}}; of values that are numbers.
Json numbers_in(const std::vector<std::string>& settings) {
  Json numbers = Json::object();
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    const Json value = Json::parse(setting.substr(equals + 1), nullptr, false);
    std::string key = "/" + setting.substr(0, equals);
    std::ranges::replace(key, '.', '/');
    if (value.is_number()) numbers[Json::json_pointer(key)] = value;
  }
  return numbers;
}

}  // namespace

Json results_by_name(const Study& study, const std::vector<StudyRow>& rows) {
  Json results = Json::object();
  for (const StudyPoint& point : study.points) {
    results["bits"][point.label()] = point.bits;
    results["published_bits"][point.label()] = point.published_bits;
    results["settings"][point.label()] = numbers_in(point.settings);
  }
  for (const StudyRow& row : rows) {
    Json& of = results[row.measure->name][row.point->label()];
    if (row.input.empty())
      of = row.figures;
    else
      of[row.input] = row.figures;
  }
  for (const ParetoPlot& plot : study.plots)
    for (const ParetoFront& front : fronts_of(plot, rows))
      results["front"][plot.name][title_of(front)] = counts_of(study, front);
  return results;
}

std::vector<CheckedStudy> checked(const Study& study, const std::vector<StudyRow>& rows) {
  const Json results = results_by_name(study, rows);
  std::vector<CheckedStudy> checks;
  for (const auto& [name, comparison] : study.checks) checks.push_back({name, comparison.over(results)});
  return checks;
}

}  // namespace gen
