// Runs the command as a script would: exit status, standard output and standard error.
#pragma once
#include <string>
#include <vector>

#include "gen/process.h"
#include "verif/tree.h"

namespace verif {

// stdout and stderr together, in the order written.
inline gen::Finished l1forge(std::vector<std::string> arguments, const std::filesystem::path& folder = {},
                             std::vector<std::pair<std::string, std::string>> environment = {}) {
  arguments.insert(arguments.begin(), verif::in_build("l1forge"));
  return gen::run({.argv = std::move(arguments), .environment = std::move(environment), .folder = folder});
}

}  // namespace verif
