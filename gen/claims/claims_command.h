// The subcommand that says which claims of the papers hold.
#pragma once
#include <CLI/CLI.hpp>

namespace gen {

void add_claims(CLI::App& app, int& status);

}  // namespace gen
