// `l1forge bench`: how fast this build generates and co-simulates units, and another build beside it.
#pragma once
#include <string>
#include <vector>

#include "gen/reports.h"

namespace gen {

struct BenchOptions {
  std::vector<std::string> units = {};     // presets, TOML files or systems; none: all, topologies small
  std::vector<std::string> settings = {};  // of all units that are named
  std::string beside = {};                 // the l1forge of another build, measured after each row
  Reports reports = {};
};

// Prints its tables row by row unless a report goes to standard output. Returns the exit status.
int bench(const BenchOptions& options);

}  // namespace gen
