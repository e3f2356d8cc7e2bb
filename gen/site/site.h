// `l1forge site`: datasheets, an explorer of configurations, claims, results and contracts as pages of one
// folder that open from a file and request nothing from outside.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "gen/reports.h"

namespace gen {

// Writes the site, with datasheets of these presets; datasheets that are there already stay. The exit status:
// 1 when a co-simulation of a datasheet found a mismatch. Throws ConfigError, FileError where the folder has
// files that are not the site's, ToolError.
int site(const std::filesystem::path& folder, const std::vector<std::string>& presets, const Origin& origin);

}  // namespace gen
