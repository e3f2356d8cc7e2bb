// The subcommand for placement and routing of a small unit.
#pragma once
#include <CLI/CLI.hpp>

namespace gen {

void add_layout(CLI::App& app, int& status);

}  // namespace gen
