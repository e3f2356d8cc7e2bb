#include "gen/study/study_checks.h"

namespace gen {

std::vector<CheckedStudy> checked(const Study& study, const std::vector<StudyRow>& rows) {
  using Json = nlohmann::ordered_json;
  Json results = Json::object();
  for (const StudyPoint& point : study.points) results["bits"][point.label()] = point.bits;
  for (const StudyRow& row : rows) {
    Json& of = results[row.kind->name][row.point->label()];
    if (row.input.empty())
      of = row.figures;
    else
      of[row.input] = row.figures;
  }
  std::vector<CheckedStudy> checks;
  for (const auto& [name, comparison] : study.checks) checks.push_back({name, comparison.over(results)});
  return checks;
}

}  // namespace gen
