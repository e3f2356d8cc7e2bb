// Energies of two units under the same traffic, side by side, for `l1forge diff --energy`.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "gen/config/config.h"
#include "gen/energy/energy.h"
#include "gen/energy/energy_report.h"

namespace gen {

struct EnergyPair {
  EnergyReport first, second;
};

// Throws, in terms of the flags of `diff`, where the two cannot be compared; before anything runs.
void check_energies(const Config& first, const Config& second, const EnergyOptions& options);

// None after a line on standard error: the netlist of one of them differs from its co-simulation.
std::optional<EnergyPair> energies_of(const Config& first, const Config& second,
                                      const EnergyOptions& options);

std::string energy_pair_table(const EnergyPair& pair);
// {"rows": [{"of", "name", "first", "second", "ratio"}], "first", "second": as `energy --json` has them};
// `of` is pj, mw, kind, part or requests. Null stands where a unit has no such figure, or it is not known.
nlohmann::ordered_json energy_pair_json(const EnergyPair& pair);

}  // namespace gen
