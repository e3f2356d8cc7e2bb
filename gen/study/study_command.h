// The subcommand that runs a study.
#pragma once
#include <CLI/CLI.hpp>

#include "gen/reports.h"

namespace gen {

void add_study(CLI::App& app, const Origin& origin, int& status);

}  // namespace gen
