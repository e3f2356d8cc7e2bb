// Names of traces and of configurations for tables and pictures.
#pragma once
#include <string>
#include <vector>

namespace gen {

// File names without folder and ending, where that still tells all of them apart.
std::vector<std::string> short_names(const std::vector<std::string>& names);

}  // namespace gen
