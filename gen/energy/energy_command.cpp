#include "gen/energy/energy_command.h"

#include <memory>

#include "gen/call_paths.h"
#include "gen/command_flags.h"
#include "gen/energy/energy.h"
#include "gen/tech/technology.h"

namespace gen {

void add_energy(CLI::App& app, int& status) {
  auto* sub = app.add_subcommand("energy", "report the energy of a unit's gates under the traffic of cosim");
  struct Flags : UnitFlags, EnergyOptions {};
  auto f = std::make_shared<Flags>();
  f->UnitFlags::add(*sub);
  const auto files = [](CLI::Option* option) {
    return option->type_name("FILE")->check(path())->expected(1)->allow_extra_args(false)->take_all();
  };
  auto* trace = sub->add_option("--trace", f->traces, "memory traces to run; default: random stimulus")
                    ->type_name("FILE")
                    ->check(path());
  sub->add_option("--replay", f->replays, "recorded traffic to replay on the ports of a cache")
      ->type_name("FILE")
      ->check(path())
      ->excludes(trace);
  sub->add_option("--seed", f->seed, "seed of the random stimulus")
      ->check(seed_number())
      ->capture_default_str();
  sub->add_option("--window", f->window, "number of cycles that are counted")
      ->type_name("CYCLES")
      ->check(whole_number(1, 1'000'000))
      ->capture_default_str();
  sub->add_option("--from", f->from, "number of cycles that run before the window")
      ->type_name("CYCLES")
      ->check(whole_number(0, 1'000'000))
      ->capture_default_str();
  auto* liberty = files(sub->add_option("--liberty", f->liberty,
                                        "standard-cell library, plain or .gz, of one or more files; default: "
                                        "Debian's osu018"));
  sub->add_option("--tech", f->tech, "technology: cells, RAM macros and their fallback (TOML)")
      ->type_name("FILE")
      ->check(path())
      ->excludes(liberty);
  sub->add_option("--clock-ns", f->clock_ns,
                  "clock period that the power is for; default: the technology's, or 5")
      ->type_name("NS")
      ->check(clock_period());
  sub->add_option("--parts", f->parts, "report instances apart down to this depth; borders of modules stay")
      ->type_name("DEPTH")
      ->check(whole_number(0, 100));
  add_reports(*sub, f->reports);
  sub->footer("Example: l1forge energy l1d --trace builtin:kmeans --from 500 --window 2000");
  sub->callback([=, &status] {
    CallPaths()
        .reads("the unit's file", f->name)
        .reads_traces("--trace", f->traces)
        .reads("--replay", f->replays)
        .reads("--liberty", f->liberty)
        .reads("--tech", f->tech.empty() ? std::vector<std::string>{} : read_technology(f->tech).files())
        .writes("--json", f->reports.json)
        .writes("--csv", f->reports.csv)
        .check();
    status = energy(f->load(f->reports.to_stdout()), *f);
  });
}

}  // namespace gen
