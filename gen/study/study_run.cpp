#include "gen/study/study_run.h"

#include <algorithm>

#include "gen/study/pareto.h"

namespace gen {
namespace {

// The same configuration but for these keys. All of a grid have the same keys in the same order.
bool alike(const StudyPoint& a, const StudyPoint& b, const std::vector<std::string>& but) {
  if (a.grid != b.grid) return false;
  for (std::size_t i = 0; i < a.settings.size(); ++i)
    if (a.settings[i] != b.settings[i] &&
        std::ranges::find(but, a.settings[i].substr(0, a.settings[i].find('='))) == but.end())
      return false;
  return true;
}

// Adds what measures wait for of fronts that are known; false when nothing is new.
bool add_fronts(const Study& study, const std::vector<StudyRow>& rows, Wanted& wanted) {
  bool added = false;
  for (std::size_t m = 0; m < study.measures.size(); ++m) {
    const Measure& measure = study.measures[m];
    for (const std::string& only : measure.only)
      for (const StudyPoint* on_front :
           front_of_mean(*std::ranges::find(study.plots, only, &ParetoPlot::name), rows))
        for (std::size_t p = 0; p < study.points.size(); ++p)
          if (!wanted[p][m] && measure.takes(on_front->grid) &&
              alike(*on_front, study.points[p], measure.vary))
            added = wanted[p][m] = true;
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
