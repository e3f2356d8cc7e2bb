// The subcommand `site`.
#pragma once
#include <CLI/CLI.hpp>

#include "gen/reports.h"

namespace gen {

void add_site(CLI::App& app, const Origin& origin, int& status);

}  // namespace gen
