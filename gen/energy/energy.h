// `l1forge energy`: energy of a unit's mapped netlist under the traffic of its co-simulation.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/energy/energy_report.h"
#include "gen/reports.h"

namespace gen {

struct EnergyOptions {
  std::vector<std::string> liberty = {};  // a user's library; empty: osu018 with its wrong areas put right
  std::string tech = {};                  // a technology's TOML file, in the place of both
  std::optional<double> clock_ns = {};
  std::int64_t window = 1000;                          // cycles that are counted
  std::int64_t from = 0;                               // cycles before them
  std::vector<std::string> traces = {}, replays = {};  // none: random stimulus
  std::uint64_t seed = 1;
  int parts = 0;  // depth to which instances are kept apart
  Reports reports = {};
  std::string svg = {};  // bars of the accesses
};

// Throws where the unit's energy cannot be counted with these options, before anything runs.
void check_energy(const Config& config, const EnergyOptions& options);

// None after a line on standard error: an output of the netlist differs from the co-simulation's.
std::optional<EnergyReport> energy_report(const Config& config, const EnergyOptions& options);

// The exit status: 1 where an output of the netlist differs from the co-simulation's.
int energy(const Config& config, const EnergyOptions& options);

}  // namespace gen
