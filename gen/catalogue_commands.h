// The subcommands that describe units and configurations and build nothing: list, describe, diff,
// import; and the completion of command lines.
#pragma once
#include <CLI/CLI.hpp>

namespace gen {

void add_list(CLI::App& app, int& status);
void add_describe(CLI::App& app, int& status);
void add_diff(CLI::App& app, int& status);
void add_import(CLI::App& app, int& status);
// To be added last: it names every other subcommand.
void add_completion(CLI::App& app, int& status);

}  // namespace gen
