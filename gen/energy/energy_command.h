// The subcommand `energy`, and the options that it shares with `diff --energy`.
#pragma once
#include <CLI/CLI.hpp>
#include <vector>

#include "gen/energy/energy.h"

namespace gen {

// The stimulus, the window, the technology, the clock and the parts.
std::vector<CLI::Option*> add_energy_options(CLI::App& app, EnergyOptions& options);

// `status` is set when the subcommand has run.
void add_energy(CLI::App& app, int& status);

}  // namespace gen
