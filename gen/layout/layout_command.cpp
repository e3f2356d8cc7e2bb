#include "gen/layout/layout_command.h"

#include <memory>

#include "gen/call_paths.h"
#include "gen/command_flags.h"
#include "gen/layout/layout.h"

namespace gen {

void add_layout(CLI::App& app, int& status) {
  auto* sub = app.add_subcommand("layout", "place and route a small unit in osu018, by graywolf and qrouter");
  struct Flags : UnitFlags {
    std::string out;
    Reports reports;
  };
  auto f = std::make_shared<Flags>();
  f->UnitFlags::add(*sub);
  sub->add_option("-o,--out", f->out, "folder for TOP.def and TOP.svg")
      ->type_name("DIR")
      ->required()
      ->check(path());
  add_reports(*sub, f->reports);
  sub->footer("Example: l1forge layout index_pli -o layout");
  sub->callback([=, &status] {
    f->reports.check();
    const Config config = f->load(f->reports.to_stdout());
    const std::filesystem::path folder = f->out;
    CallPaths()
        .reads("the unit's file", f->name)
        .makes("-o", (folder / (config.top + ".def")).string())
        .makes("-o", (folder / (config.top + ".svg")).string())
        .writes("--json", f->reports.json)
        .writes("--csv", f->reports.csv)
        .check();
    status = layout(config, folder, f->reports);
  });
}

}  // namespace gen
