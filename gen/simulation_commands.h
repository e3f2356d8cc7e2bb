// The subcommands that run units: cosim on their Verilog, explore on their models.
#pragma once
#include <CLI/CLI.hpp>

namespace gen {

// `status` is set when the subcommand has run.
void add_cosim(CLI::App& app, int& status);
void add_explore(CLI::App& app, int& status);

}  // namespace gen
