#include "gen/study/study_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <thread>

#include "gen/call_paths.h"
#include "gen/command_flags.h"
#include "gen/study/page.h"
#include "gen/study/study_checks.h"
#include "gen/study/study_report.h"
#include "gen/study/study_run.h"

namespace gen {

namespace fs = std::filesystem;
namespace {

struct Flags {
  std::vector<std::string> files;
  std::string out, workflow, traces;
  bool pages = false;
  int jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
};

// Several studies share the results in a folder; each has its reports in a folder of its own there.
struct Folders {
  fs::path results, reports;
};

Folders folders_of(const Flags& flags, const std::string& file, const std::string& given) {
  const std::string name = fs::path(file).stem().string();
  const fs::path folder = given.empty() ? name + "-study" : given;
  if (flags.files.size() == 1) return {folder, folder};
  return given.empty() ? Folders{"studies", fs::path("studies") / name} : Folders{folder, folder / name};
}

// Whether all was measured and holds.
bool run_one(const Study& study, const Folders& folders, const Flags& flags, const Origin& origin) {
  const StudyRun done = run_study(study, wanted_first(study), folders.results, flags.jobs);
  const std::vector<CheckedStudy> checks = checked(study, done.rows);
  const bool whole = done.failures.empty();
  const std::vector<WorkedTable> tables =
      whole ? worked_tables(study, done.rows) : std::vector<WorkedTable>();
  write_study(folders.reports, study, done.rows, checks, tables, origin);
  for (const Workflow::Failure& failure : done.failures)
    std::cerr << fmt::format("{}: {}; again: {}\n", failure.label, failure.why, failure.command);
  for (const CheckedStudy& check : checks)
    std::cout << fmt::format("check {}: {}, expected {}, found {}\n", check.name,
                             check.outcome.holds ? "holds" : "does not hold", check.outcome.expected_text,
                             check.outcome.value_text);
  if (flags.pages && whole) write_pages(study, tables, done.rows);
  if (flags.pages && !whole && !study.tables.empty())
    std::cerr << fmt::format("{}: its pages stay as they are\n", study.path);
  std::cout << fmt::format("{} configurations, {} of {} results: {}\n", study.points.size(),
                           done.results - done.failures.size(), done.results,
                           (folders.reports / "study.html").string());
  return whole && std::ranges::all_of(checks, [](const CheckedStudy& c) { return c.outcome.holds; });
}

// What a study reads, and what it writes beside its results.
void add_paths(CallPaths& paths, const Study& study, const Flags& flags) {
  std::set<std::string> files(study.files.begin(), study.files.end());
  for (const StudyPoint& point : study.points)
    if (point.unit.ends_with(".toml")) files.insert(point.unit);
  for (const Measure& measure : study.measures)
    for (const std::string& flag : measure.flags)
      if (fs::path(flag).is_absolute()) files.insert(flag);
  for (const std::string& file : files) paths.reads("the study", file);
  for (const StudyInput& trace : study.traces) paths.reads_traces("the study", {trace.path});
  for (const StudyInput& recording : study.recordings) paths.reads("the study", recording.path);
  if (!flags.workflow.empty()) {
    const fs::path folder = folders_of(flags, study.path, flags.workflow).reports;
    for (const char* name : {"Snakefile", "jobs.json"}) paths.makes("--workflow", (folder / name).string());
    return;
  }
  const fs::path folder = folders_of(flags, study.path, flags.out).reports;
  for (const char* name : {"study.json", "study.csv", "study.md", "study.html"})
    paths.makes("-o", (folder / name).string());
  for (const StudyTable& table : study.tables) {
    paths.makes("-o", (folder / "tables" / (table.name + ".csv")).string());
    if (flags.pages) paths.writes("--pages", table.file);
  }
  for (const ParetoPlot& plot : study.plots)
    if (flags.pages) paths.writes("--pages", plot.picture);
}

int run_all(const Flags& flags, const Origin& origin) {
  std::vector<Study> studies;  // all are read before one is run
  CallPaths paths;
  for (const std::string& file : flags.files) studies.push_back(read_study(file, flags.traces));
  for (const Study& study : studies) add_paths(paths, study, flags);
  paths.check();
  for (const Study& study : studies)
    if (flags.pages) check_pages(study);
  bool good = true;
  for (const Study& study : studies) {
    for (const std::string& note : study.notes) std::cout << note << "\n";
    if (flags.workflow.empty()) {
      good &= run_one(study, folders_of(flags, study.path, flags.out), flags, origin);
      continue;
    }
    const fs::path folder = folders_of(flags, study.path, flags.workflow).reports;
    std::cout << fmt::format("{}: {} results; snakemake --cores N runs them\n",
                             (folder / "Snakefile").string(),
                             write_workflow(study, wanted_first(study), folder));
  }
  return good ? 0 : 1;
}

}  // namespace

void add_study(CLI::App& app, const Origin& origin, int& status) {
  auto* sub = app.add_subcommand(
      "study", "measure many configurations in parallel, resume after interrupts, write tables and charts");
  auto f = std::make_shared<Flags>();
  sub->add_option("study", f->files, "TOML files with grids of configurations, inputs, measures and tables")
      ->required()
      ->check(path());
  sub->add_option("--jobs", f->jobs, "number of parallel jobs; default: one per core")
      ->type_name("N")
      ->check(whole_number(1, 1024));
  auto* out = sub->add_option("-o,--out", f->out, "folder of results and reports; default: ./NAME-study")
                  ->type_name("DIR")
                  ->check(path());
  sub->add_option("--workflow", f->workflow, "write the Snakemake workflow for a cluster, and run nothing")
      ->type_name("DIR")
      ->check(path())
      ->excludes(out);
  sub->add_option("--traces", f->traces, "folder of the studies' traces TRACES/...")
      ->type_name("DIR")
      ->envname("L1FORGE_TRACES")
      ->check(path());
  sub->add_flag("--pages", f->pages,
                "write tables and pictures into the pages and files that the studies name");
  sub->footer("Example: l1forge study docs/studies/indices.toml -o indices");
  sub->callback([=, &status] { status = run_all(*f, origin); });
}

}  // namespace gen
