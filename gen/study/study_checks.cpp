#include "gen/study/study_checks.h"

#include "gen/study/pareto.h"

namespace gen {

using Json = nlohmann::ordered_json;

Json results_by_name(const Study& study, const std::vector<StudyRow>& rows) {
  Json results = Json::object();
  for (const StudyPoint& point : study.points) results["bits"][point.label()] = point.bits;
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
