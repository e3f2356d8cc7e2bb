// What a study says of its own figures: [check.NAME], over all of its results.
#pragma once
#include <string>
#include <vector>

#include "gen/study/study_report.h"

namespace gen {

// As expressions name them: by measure, configuration and input; "bits" and the numbers among the "settings"
// by configuration.
nlohmann::ordered_json results_by_name(const Study& study, const std::vector<StudyRow>& rows);

struct CheckedStudy {
  std::string name;
  Comparison::Outcome outcome;
};

// A value names figures by measure, configuration and input: "untimed[plain index.kind=pli].miss_rate".
// Throws ConfigError at one that is not there.
std::vector<CheckedStudy> checked(const Study& study, const std::vector<StudyRow>& rows);

}  // namespace gen
