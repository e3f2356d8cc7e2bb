// A call of l1forge as the command line's parser understands it.
#pragma once
#include <string>
#include <vector>

namespace gen {

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
using CallParser = Call (*)(const std::vector<std::string>& words);

}  // namespace gen
