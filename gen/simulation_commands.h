// The subcommands that run units: cosim on their Verilog, explore on their models.
#pragma once
#include <CLI/CLI.hpp>

#include "gen/reports.h"

namespace gen {

// `status` is set when the subcommand has run.
void add_cosim(CLI::App& app, int& status);
void add_explore(CLI::App& app, const Origin& origin, int& status);

}  // namespace gen
