#include "gen/site/site_command.h"

#include <memory>

#include "gen/command_flags.h"
#include "gen/site/site.h"

namespace gen {

void add_site(CLI::App& app, const Origin& origin, int& status) {
  auto* sub =
      app.add_subcommand("site", "write datasheets, results and contracts as a site that opens from a file");
  struct Flags {
    std::vector<std::string> only;
    std::string out;
  };
  auto f = std::make_shared<Flags>();
  sub->add_option("-o,--out", f->out, "output folder; of its files only those of a site are replaced")
      ->type_name("DIR")
      ->required()
      ->check(path());
  sub->add_option("--only", f->only, "measure these presets alone; datasheets that are there stay");
  sub->footer("Example: l1forge site -o site --only l1d index_pli");
  sub->callback([=, &status] {
    for (const std::string& name : f->only) preset_named(name);
    status = site(f->out, f->only.empty() ? preset_names() : f->only, origin);
  });
}

}  // namespace gen
