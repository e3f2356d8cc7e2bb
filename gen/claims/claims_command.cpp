#include "gen/claims/claims_command.h"

#include <iostream>
#include <memory>

#include "gen/call_paths.h"
#include "gen/claims/claims_report.h"
#include "gen/command_flags.h"
#include "gen/files.h"
#include "gen/paths.h"
#include "gen/reports.h"

namespace gen {

void add_claims(CLI::App& app, int& status) {
  auto* sub = app.add_subcommand("claims", "which claims of the papers hold, by the figures here");
  struct Flags {
    std::string folder = (paths::source() / "docs/claims").string(), paper, out;
    Reports reports;
  };
  auto f = std::make_shared<Flags>();
  sub->add_option("folder", f->folder, "of the claims, a TOML file a paper; docs/claims by default")
      ->check(path());
  sub->add_option("--paper", f->paper, "only this one: TSC")
      ->type_name("NAME")
      ->check([](const std::string& name) { return name.empty() ? "names no paper" : ""; });
  sub->add_option("-o,--out", f->out, "write the page there, not to standard output")
      ->type_name("FILE")
      ->check(path());
  add_reports(*sub, f->reports);
  sub->footer("Example: l1forge claims --paper TSC");
  sub->callback([=, &status] {
    CallPaths()
        .writes("-o", f->out)
        .writes("--json", f->reports.json)
        .writes("--csv", f->reports.csv)
        .check();
    f->reports.check();
    const std::vector<Paper> papers = read_papers(f->folder, f->paper);
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
