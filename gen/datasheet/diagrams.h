// The diagrams of a datasheet as files, for documents: no synthesis.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "gen/config/config.h"

namespace gen {

struct Diagram {
  std::string file;  // TOP-block.svg, or TOP-load-that-hits.svg
  std::string svg;   // dark on white, under either colour scheme
};

// The block diagram and the timing diagrams. Without `timing` nothing runs. Throws ConfigError, ToolError.
std::vector<Diagram> diagrams_of(const Config& config, bool timing = true);

// Writes the diagrams of each unit into the folder, and prints their names.
void write_diagrams(const std::vector<Config>& configs, const std::filesystem::path& folder);

}  // namespace gen
