// `l1forge datasheet`: a page for each unit, with all that can be measured and is recorded of it.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/datasheet/measured.h"
#include "gen/reports.h"
#include "gen/unit/unit.h"

namespace gen {

// The page of a unit, and the figures of it that lists of units show.
struct Datasheet {
  std::string page;
  int latency = 0, goals = 0, goals_reached = 0;
  std::int64_t ram_bits = 0;
  double gate_equivalents = 0, path_ns = 0;
  bool passed = false;  // its co-simulation found no mismatch
};

// The page, of these results.
Datasheet datasheet_from(const Config& config, const Unit& unit, const Measured& results,
                         const Origin& origin);

// Measures the unit. `version` is of the generator, `technology` a TOML file or empty. Throws ConfigError,
// ToolError.
Datasheet datasheet_of(const Config& config, const std::string& version, const std::string& technology = "");

// The name of a unit's page.
std::string page_name(const Config& config);

// Writes DIR/TOP.html of each. The exit status: 1 when a co-simulation found a mismatch.
int datasheet(const std::vector<Config>& configs, const std::filesystem::path& folder,
              const std::string& version, const std::string& technology);

}  // namespace gen
