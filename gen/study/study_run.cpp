#include "gen/study/study_run.h"

#include <algorithm>

#include "gen/study/pareto.h"

namespace gen {
namespace {

// Adds what measures wait for of fronts that are known; false when nothing is new.
bool add_fronts(const Study& study, const std::vector<StudyRow>& rows, Wanted& wanted) {
  bool added = false;
  for (std::size_t m = 0; m < study.measures.size(); ++m)
    for (const std::string& only : study.measures[m].only)
      for (const StudyPoint* point :
           front_of_mean(*std::ranges::find(study.plots, only, &ParetoPlot::name), rows)) {
        const auto p = static_cast<std::size_t>(point - study.points.data());
        if (!wanted[p][m] && study.measures[m].takes(point->grid)) added = wanted[p][m] = true;
      }
  return added;
}

}  // namespace

std::size_t write_workflow(const Study& study, Wanted wanted, const std::filesystem::path& folder) {
  for (;;) {
    const StudyJobs stage = jobs_of(study, wanted);
    const Workflow workflow(folder, stage);
    if (workflow.missing() > 0 || !add_fronts(study, study_rows(study, stage, workflow), wanted))
      return stage.jobs.size();
  }
}

StudyRun run_study(const Study& study, Wanted wanted, const std::filesystem::path& folder, int jobs) {
  for (;;) {
    const StudyJobs stage = jobs_of(study, wanted);
    Workflow workflow(folder, stage);
    std::vector<Workflow::Failure> failures = workflow.run(jobs);
    std::vector<StudyRow> rows = study_rows(study, stage, workflow);
    if (!failures.empty() || !add_fronts(study, rows, wanted))
      return {std::move(rows), std::move(failures), stage.jobs.size()};
  }
}

}  // namespace gen
