// Names of traces and of configurations for tables and pictures.
#pragma once
#include <string>
#include <vector>

namespace gen {

// File names without folder and ending, where no two of them are then equal.
std::vector<std::string> short_names(const std::vector<std::string>& names);

}  // namespace gen
