// The command l1forge: parses the command line and hands each subcommand to its room.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "gen/commands.h"

int main(int argc, char** argv) {
  try {
    return gen::run_command(argc, argv);
  } catch (const std::exception& e) {
    std::cout.flush();
    fmt::print(stderr, "l1forge: {}\n", e.what());
    return 2;
  }
}
