#include "gen/explore/system_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "gen/explore/system_run.h"
#include "gen/system/system_config.h"

namespace gen {

namespace {

// A kernel of loads, arithmetic and stores that the SMs, the networks and DRAM are all busy with.
constexpr const char* kernel = "builtin:triad?elements=262144";
constexpr double least_seconds = 1;

// What a system is to reach on one core of a machine, in SM-cycles a second; 0 where nothing is said.
double target_of(const std::string& system) {
  if (system == "fermi_tsc") return 1.5e6;
  return system == "crossbar80" ? 1e6 : 0;
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

bool is_system(const std::string& name) {
  return std::ranges::find(system_presets(), name, &SystemPreset::name) != system_presets().end();
}

std::vector<std::string> benched_systems() { return {"fermi_tsc", "fermi_aci", "volta4", "crossbar80"}; }

nlohmann::ordered_json SystemBench::row(const std::string& name) {
  const SystemConfig system = load_system(name);
  std::uint64_t sm_cycles = 0;
  const double start = processor_seconds();
  double seconds = 0;
  while (seconds < least_seconds) {
    RunResult result;
    result.sms.resize(static_cast<std::size_t>(system.values.sms));
    SystemRun({}, system.values, golden::open_instructions(kernel)).run(result, [](std::uint64_t, double) {});
    sm_cycles += result.cycles * result.sms.size();
    seconds = processor_seconds() - start;
  }
  const double speed = static_cast<double>(sm_cycles) / seconds, target = target_of(name);
  if (shown_) {
    if (!begun_)
      fmt::print("\nsystems with l1d, million SM-cycles a second\n{:<15}  {:>5}  {:>9}  {:>9}\n", "unit",
                 "SMs", "speed", "target");
    fmt::print("{:<15}  {:>5}  {:>9.2f}  {:>9}\n", name, system.values.sms, speed / 1e6,
               target > 0 ? fmt::format("{:.1f}", target / 1e6) : "-");
    std::fflush(stdout);
  }
  begun_ = true;
  nlohmann::ordered_json row = {{"unit", name}, {"sms", system.values.sms}, {"sm_cycles_per_second", speed}};
  if (target > 0) row["target"] = target;
  return row;
}

}  // namespace gen
