#include "gen/config/error.h"

#include <fmt/format.h>

#include "gen/config/text.h"

namespace gen {

ConfigError::ConfigError(const std::string& line) : std::runtime_error(one_line(line)) {}

ConfigError::ConfigError(const std::string& place, const std::string& what)
    : ConfigError(fmt::format("{}: {}", place, what)) {}

}  // namespace gen
