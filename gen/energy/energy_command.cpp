#include "gen/energy/energy_command.h"

#include <memory>

#include "gen/call_paths.h"
#include "gen/command_flags.h"
#include "gen/energy/energy.h"
#include "gen/tech/technology.h"

namespace gen {

std::vector<CLI::Option*> add_energy_options(CLI::App& app, EnergyOptions& options) {
  auto* trace = app.add_option("--trace", options.traces, "memory traces to run; default: random stimulus")
                    ->type_name("FILE")
                    ->check(path());
  auto* replay =
      app.add_option("--replay", options.replays, "recorded traffic to replay on the ports of a cache")
          ->type_name("FILE")
          ->check(path())
          ->excludes(trace);
  auto* seed = app.add_option("--seed", options.seed, "seed of the random stimulus")
                   ->check(seed_number())
                   ->capture_default_str();
  auto* window = app.add_option("--window", options.window, "number of cycles that are counted")
                     ->type_name("CYCLES")
                     ->check(window_cycles())
                     ->capture_default_str();
  auto* from = app.add_option("--from", options.from, "number of cycles that run before the window")
                   ->type_name("CYCLES")
                   ->check(cycles_before())
                   ->capture_default_str();
  auto* tech =
      app.add_option("--tech", options.tech, "technology: cells, RAM macros and their fallback (TOML)")
          ->type_name("FILE")
          ->check(path());
  auto* clock = app.add_option("--clock-ns", options.clock_ns,
                               "clock period that the power is for; default: the technology's, or 5")
                    ->type_name("NS")
                    ->check(clock_period());
  auto* parts = app.add_option("--parts", options.parts,
                               "report instances apart down to this depth; borders of modules stay")
                    ->type_name("DEPTH")
                    ->check(whole_number(0, 100))
                    ->capture_default_str();
  return {trace, replay, seed, window, from, tech, clock, parts};
}

void add_energy(CLI::App& app, int& status) {
  auto* sub = app.add_subcommand("energy", "report the energy of a unit's gates under the traffic of cosim");
  struct Flags : UnitFlags, EnergyOptions {};
  auto f = std::make_shared<Flags>();
  f->UnitFlags::add(*sub);
  add_energy_options(*sub, *f);
  sub->add_option("--liberty", f->liberty,
                  "standard-cell library, plain or .gz, of one or more files; default: Debian's osu018")
      ->type_name("FILE")
      ->check(path())
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all()
      ->excludes("--tech");
  add_reports(*sub, f->reports);
  sub->add_option("--svg", f->svg, "draw the energy of each kind of access, by what it consists of")
      ->type_name("FILE")
      ->check(path());
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
        .writes("--svg", f->svg)
        .check();
    status = energy(f->load(f->reports.to_stdout()), *f);
  });
}

}  // namespace gen
