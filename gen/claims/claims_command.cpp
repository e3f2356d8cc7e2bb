#include "gen/claims/claims_command.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "gen/call_paths.h"
#include "gen/claims/claims_check.h"
#include "gen/claims/claims_report.h"
#include "gen/command_flags.h"
#include "gen/config/text.h"
#include "gen/files.h"
#include "gen/paths.h"
#include "gen/reports.h"

namespace gen {
namespace {

void add_reads(CallPaths& paths, const Paper& paper) {
  paths.reads("claims", paper.path);
  for (const ResultSource& source : paper.sources)
    paths.reads(paper.path, source.path).reads(paper.path, source.reading.files);
}

// Leaves that one alone; an empty name is all.
void choose(std::vector<Paper>& papers, const std::string& name) {
  std::vector<std::string> names;
  for (const Paper& paper : papers) names.push_back(paper.name);
  if (!name.empty()) std::erase_if(papers, [&](const Paper& paper) { return paper.name != name; });
  if (papers.empty())
    throw ConfigError("--paper",
                      fmt::format("{}: no such paper; there are {}", shortened(name), joined(names, ", ")));
}

// Whether all stored figures are as old as what makes them.
bool print_age(const std::vector<Paper>& papers) {
  const Ages ages = ages_of(papers);
  for (const StaleResult& stale : ages.stale)
    std::cout << fmt::format("{}: {}; again: {}\n", stale.file, stale.why, stale.again);
  std::cout << fmt::format("{} of {} stored results are older than what makes them\n", ages.stale.size(),
                           ages.results);
  return ages.stale.empty();
}

}  // namespace

void add_claims(CLI::App& app, CallParser parser, int& status) {
  auto* sub = app.add_subcommand("claims", "compare the claims of the papers with the figures here");
  struct Flags {
    std::string folder = (paths::source() / "docs/claims").string(), paper, out,
                traces = (paths::source() / "verif/traces").string();
    bool check = false;
    Reports reports;
  };
  auto f = std::make_shared<Flags>();
  sub->add_option("folder", f->folder, "folder of the claims, one TOML file per paper; default: docs/claims")
      ->check(path());
  sub->add_option("--paper", f->paper, "compare the claims of this paper alone: TSC")
      ->type_name("NAME")
      ->check([](const std::string& name) { return name.empty() ? "names no paper" : ""; });
  sub->add_option("--traces", f->traces, "folder of the claims' traces TRACES/...; default: verif/traces")
      ->type_name("DIR")
      ->check(path());
  sub->add_option("-o,--out", f->out, "output page; default: standard output")
      ->type_name("FILE")
      ->check(path());
  sub->add_flag("--check", f->check,
                "compare nothing: name the stored figures that are older than their study, units or models");
  add_reports(*sub, f->reports);
  sub->footer("Example: l1forge claims --paper TSC");
  sub->callback([=, &status] {
    f->reports.check();
    std::vector<Paper> papers = read_papers(f->folder, f->traces, parser);
    CallPaths paths;
    for (const Paper& paper : papers) add_reads(paths, paper);
    paths.writes("-o", f->out).writes("--json", f->reports.json).writes("--csv", f->reports.csv).check();
    choose(papers, f->paper);
    if (f->check) {
      if (!f->out.empty() || !f->reports.json.empty() || !f->reports.csv.empty())
        throw ConfigError("--check", "compares no claims: leave out -o, --json and --csv");
      status = print_age(papers) ? 0 : 1;
      return;
    }
    const std::vector<ComparedPaper> found = compared(papers);
    const std::string page = claims_markdown(found);
    const nlohmann::ordered_json json = claims_json(found);
    f->reports.write(json, json["claims"]);
    if (!f->out.empty())
      write_file_atomically(f->out, page);
    else if (!f->reports.to_stdout())
      std::cout << page;
    status = 0;
  });
}

}  // namespace gen
