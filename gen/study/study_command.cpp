#include "gen/study/study_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>

#include "gen/command_flags.h"
#include "gen/study/study_checks.h"
#include "gen/study/study_report.h"
#include "gen/study/study_run.h"

namespace gen {

void add_study(CLI::App& app, const Origin& origin, int& status) {
  auto* sub = app.add_subcommand(
      "study", "measure many configurations: what is missing, in parallel, then tables and charts");
  struct Flags {
    std::string file, out, workflow;
    int jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  };
  auto f = std::make_shared<Flags>();
  sub->add_option("study", f->file, "a TOML file: grids of configurations, inputs, measures")
      ->required()
      ->check(path());
  sub->add_option("--jobs", f->jobs, "at a time; as many as there are cores by default")
      ->type_name("N")
      ->check(whole_number(1, 1024));
  auto* out = sub->add_option("-o,--out", f->out, "folder of results and reports; ./NAME-study by default")
                  ->type_name("DIR")
                  ->check(path());
  sub->add_option("--workflow", f->workflow, "only write the Snakemake workflow, to be run on a cluster")
      ->type_name("DIR")
      ->check(path())
      ->excludes(out);
  sub->footer("Example: l1forge study docs/studies/indices.toml -o indices");
  sub->callback([=, &status] {
    namespace fs = std::filesystem;
    const Study study = read_study(f->file);
    const bool only_write = !f->workflow.empty();
    fs::path folder = only_write ? f->workflow : f->out;
    if (folder.empty()) folder = fs::path(f->file).stem().string() + "-study";
    for (const std::string& note : study.notes) std::cout << note << "\n";
    Wanted wanted = wanted_first(study);
    if (only_write) {
      std::cout << fmt::format("{}: {} results; snakemake --cores N runs them\n",
                               (folder / "Snakefile").string(), write_workflow(study, wanted, folder));
      status = 0;
      return;
    }
    const StudyRun done = run_study(study, wanted, folder, f->jobs);
    const std::vector<CheckedStudy> checks = checked(study, done.rows);
    write_study(folder, study, done.rows, checks, origin);
    for (const Workflow::Failure& failure : done.failures)
      std::cerr << fmt::format("{}: {}; again: {}\n", failure.label, failure.why, failure.command);
    for (const CheckedStudy& check : checks)
      std::cout << fmt::format("check {}: {}, expected {}, found {}\n", check.name,
                               check.outcome.holds ? "holds" : "does not hold", check.outcome.expected_text,
                               check.outcome.value_text);
    std::cout << fmt::format("{} configurations, {} of {} results: {}\n", study.points.size(),
                             done.results - done.failures.size(), done.results,
                             (folder / "study.html").string());
    const bool hold = std::ranges::all_of(checks, [](const CheckedStudy& c) { return c.outcome.holds; });
    status = done.failures.empty() && hold ? 0 : 1;
  });
}

}  // namespace gen
