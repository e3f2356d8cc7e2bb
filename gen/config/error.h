// What a user wrote cannot be used: one line with the place, the value, the rule and the remedy.
#pragma once
#include <stdexcept>
#include <string>

namespace gen {

// what() is exactly one line of printable text, whatever bytes the user's file or flag held.
class ConfigError : public std::runtime_error {
 public:
  explicit ConfigError(const std::string& line);
  ConfigError(const std::string& place, const std::string& what);
};

}  // namespace gen
