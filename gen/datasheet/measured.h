// What a datasheet measures of a unit: a co-simulation, its area, and for a cache a few kernels.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/unit/unit.h"

namespace gen {

// What a unit takes of a technology. A topology has neither figure, and a unit of two clocks no energy: they
// are null then.
struct InTechnology {
  std::string name;
  nlohmann::ordered_json area = {}, energy = {};  // of `l1forge area` and `l1forge energy`
  std::string area_command = {}, energy_command = {};
};

struct Measured {
  nlohmann::ordered_json cosim;                  // its report
  std::vector<nlohmann::ordered_json> diagrams;  // WaveJSON of that run
  nlohmann::ordered_json area;                   // of `l1forge area`
  std::string area_command;
  nlohmann::ordered_json kernels = {};  // of `l1forge explore`, a run each; of a cache alone
  nlohmann::ordered_json plain = {};    // the same of the plain cache beside it, if that is another
  std::string plain_name = {};
  std::optional<InTechnology> technology = {};  // if one was given
};

// Results are kept in the user's cache by what they depend on, so that a site that was cut short goes on.
// Throws ToolError.
// `technology`: its TOML file, or empty.
Measured measured(const Config& config, const Unit& unit, const std::string& technology);

// WaveJSON of the timing diagrams alone: of the same co-simulation, kept as the others are.
std::vector<nlohmann::ordered_json> measured_diagrams(const Config& config, const Unit& unit);

// The unit as the command line names it: "l1d -s geometry.ways=8".
std::string call_of(const Config& config);

}  // namespace gen
