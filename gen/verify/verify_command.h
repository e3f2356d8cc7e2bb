// The subcommand `verify`.
#pragma once
#include <CLI/CLI.hpp>

#include "gen/reports.h"

namespace gen {

void add_verify(CLI::App& app, const Origin& origin, int& status);

}  // namespace gen
