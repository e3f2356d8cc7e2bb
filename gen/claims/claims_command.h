// The subcommand that says which claims of the papers hold.
#pragma once
#include <CLI/CLI.hpp>

#include "gen/call.h"

namespace gen {

// `parser` checks the calls that claims have run.
void add_claims(CLI::App& app, CallParser parser, int& status);

}  // namespace gen
