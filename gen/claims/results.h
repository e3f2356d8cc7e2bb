// Figures that claims are compared with: of a unit's manifest or a command, worked out now, or stored.
#pragma once
#include <nlohmann/json.hpp>

#include "gen/claims/claims_file.h"

namespace gen {

// As expressions name them: CSV as columns of rows, which the first column names. Throws ConfigError or
// FileError naming file and line of what is cut short or is no number.
nlohmann::ordered_json figures_of(const ResultSource& source);

}  // namespace gen
