// The subcommand that writes datasheets.
#pragma once
#include <CLI/CLI.hpp>

#include "gen/reports.h"

namespace gen {

void add_datasheet(CLI::App& app, const Origin& origin, int& status);

}  // namespace gen
