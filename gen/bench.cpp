#include "gen/bench.h"

#include <fmt/format.h>

#include <algorithm>

#include "gen/config/config.h"
#include "gen/cosim/cosim.h"
#include "gen/files.h"
#include "gen/process.h"
#include "golden/l1d/functional_bench.h"

namespace gen {
namespace {

constexpr std::int64_t cycles = 4'000'000;
constexpr int generations = 9;

// Whole processes, as a script would start them: the median in milliseconds.
double generation_ms(const std::string& preset, const TempDir& work) {
  std::vector<double> runs;
  for (int i = 0; i < generations; ++i)
    runs.push_back(
        1000 *
        run_checked({.argv = {"/proc/self/exe", "gen", preset, "-o", (work / preset).string()}}).seconds);
  std::ranges::nth_element(runs, runs.begin() + generations / 2);
  return runs[generations / 2];
}

// Millions of requests a second that the untimed cache serves, by pattern.
nlohmann::ordered_json untimed_speeds(const hw::L1dParams& params) {
  nlohmann::ordered_json speeds;
  for (const golden::FunctionalSpeed& f : golden::functional_speed(params))
    speeds[std::string(f.pattern)] = f.per_second;
  return speeds;
}

}  // namespace

int bench(const Reports& reports) {
  reports.check();
  const TempDir work("bench");
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const auto row = [&](const std::string& text) {
    if (!reports.to_stdout()) fmt::print("{}\n", text);
  };
  row(fmt::format("{:<20} {:>12} {:>15} {:>15} {:>15} {:>12}", "unit", "generate ms", "golden M/s",
                  "cosim Mcycle/s", "bare Mcycle/s", "cosim/bare"));
  for (const std::string& preset : preset_names()) {
    const CosimSpeed f = cosim_speed(load_config(preset), cycles);
    const double ms = generation_ms(preset, work);
    row(fmt::format("{:<20} {:>12.1f} {:>15.1f} {:>15.1f} {:>15.1f} {:>10.0f} %", preset, ms, f.golden / 1e6,
                    f.cosim / 1e6, f.bare / 1e6, 100 * f.cosim / f.bare));
    rows.push_back({{"unit", preset},
                    {"generate_ms", ms},
                    {"golden_cycles_per_second", f.golden},
                    {"cosim_cycles_per_second", f.cosim},
                    {"bare_cycles_per_second", f.bare}});
  }
  row("\nuntimed cache, M accesses/s on one core");
  for (nlohmann::ordered_json& unit : rows) {
    const Config config = load_config(unit["unit"]);
    const auto* cache = std::get_if<hw::L1dParams>(&config.params);
    if (!cache) continue;
    unit["untimed_accesses_per_second"] = untimed_speeds(*cache);
    std::string text = fmt::format("{:<20}", unit["unit"].get<std::string>());
    for (const auto& [pattern, speed] : unit["untimed_accesses_per_second"].items())
      text += fmt::format("  {}: {:.0f}", pattern, speed.get<double>() / 1e6);
    row(text);
  }
  reports.write(rows, rows);
  return 0;
}

}  // namespace gen
