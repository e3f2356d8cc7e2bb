// Runs a study in its stages: what waits for no front, then what the fronts choose, until nothing is added.
#pragma once
#include <filesystem>
#include <vector>

#include "gen/study/study_report.h"

namespace gen {

struct StudyRun {
  std::vector<StudyRow> rows;
  std::vector<Workflow::Failure> failures;
  std::size_t results = 0;  // needed, in all stages
};

// Only writes the workflow, of the stages whose results are there and of the next one; says how many results
// it makes.
std::size_t write_workflow(const Study& study, Wanted wanted, const std::filesystem::path& folder);

StudyRun run_study(const Study& study, Wanted wanted, const std::filesystem::path& folder, int jobs);

}  // namespace gen
