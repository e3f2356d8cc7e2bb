// The subcommand `energy`.
#pragma once
#include <CLI/CLI.hpp>

namespace gen {

// `status` is set when the subcommand has run.
void add_energy(CLI::App& app, int& status);

}  // namespace gen
