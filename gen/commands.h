// The subcommands of l1forge and their flags.
#pragma once
#include <string>
#include <vector>

namespace gen {

// `commit` is what --version names beside the version; empty where that is not known. The exit status: 0
// success, 1 a mismatch or failed check, 2 bad use. Throws what main prints as one line, status 2.
int run_command(int argc, char** argv, const std::string& commit);

// A call as the command line's parser understands it.
struct Call {
  struct Option {
    std::string name;  // "trace"; of what stands without a name what --help calls it
    bool positional = false;
    std::vector<std::string> values;
  };
  std::string command;
  std::vector<Option> options;  // that are given
};

// Of the words behind "l1forge", with all checks of their values that the parser does; nothing is run. Throws
// ConfigError.
Call parsed_call(const std::vector<std::string>& words);

}  // namespace gen
