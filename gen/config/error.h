// Unusable input of the user: one line with the position, the value, the rule and the remedy.
#pragma once
#include <stdexcept>
#include <string>

namespace gen {

// what() is exactly one line of printable text for any bytes in the user's file or flag.
class ConfigError : public std::runtime_error {
 public:
  explicit ConfigError(const std::string& line);
  ConfigError(const std::string& place, const std::string& what);
};

}  // namespace gen
