#include "gen/datasheet/datasheet_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "gen/call_paths.h"
#include "gen/command_flags.h"
#include "gen/datasheet/datasheet.h"
#include "gen/datasheet/diagrams.h"
#include "gen/tech/technology.h"

namespace gen {

void add_datasheet(CLI::App& app, const Origin& origin, int& status) {
  auto* sub = app.add_subcommand("datasheet", "write a page that describes and measures a unit");
  struct Flags {
    std::vector<std::string> names, settings;
    std::string out, tech;
    bool diagrams = false;
  };
  auto f = std::make_shared<Flags>();
  sub->add_option("units", f->names, "presets (see `l1forge list`), TOML files or manifests")->required();
  add_settings(*sub, f->settings, "set a key of every unit: -s geometry.ways=8");
  sub->add_option("-o,--out", f->out, "output folder, for a page TOP.html of each unit")
      ->type_name("DIR")
      ->required()
      ->check(path());
  sub->add_option("--tech", f->tech, "technology for area and energy: cells, RAM macros, fallback (TOML)")
      ->type_name("FILE")
      ->check(path());
  sub->add_flag("--diagrams", f->diagrams,
                "write the block and timing diagrams alone, as TOP-*.svg; no synthesis");
  sub->footer("Example: l1forge datasheet l1d_tsc -o sheets");
  sub->callback([=, &status] {
    const std::vector<Config> configs = load_all(f->names, f->settings);
    if (f->diagrams) {
      if (!f->tech.empty())
        throw ConfigError("--tech", "measures, and --diagrams draws alone; leave one out");
      write_diagrams(configs, f->out);
      status = 0;
      return;
    }
    CallPaths paths;
    paths.reads("the unit's file", f->names);
    if (!f->tech.empty()) paths.reads("--tech", read_technology(f->tech).files());
    for (const Config& config : configs)
      paths.makes("-o", (std::filesystem::path(f->out) / page_name(config)).string());
    paths.check();
    status = datasheet(configs, f->out, origin.version, f->tech);
  });
}

}  // namespace gen
