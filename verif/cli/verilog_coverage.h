// Runs the script that merges the coverage of Verilog.
#pragma once
#include <string>
#include <vector>

#include "gen/process.h"
#include "verif/tree.h"

namespace verif {

// stdout and stderr together.
inline gen::Finished merged_coverage(const std::vector<std::string>& arguments) {
  std::vector<std::string> argv{"python3", in_source("verif/mutate/verilog_coverage.py")};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return gen::run({.argv = argv});
}

}  // namespace verif
