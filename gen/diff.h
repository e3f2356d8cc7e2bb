// `l1forge diff`: what two units differ in, from their manifests and, if asked, from their synthesis
// and from the toggles of their netlists.
#pragma once
#include <string>

#include "gen/config/config.h"
#include "gen/energy/energy.h"

namespace gen {

struct DiffOptions {
  bool area = false;      // gate equivalents and longest paths too, by the recipe of `l1forge area`
  unsigned orders = 1;    // of each unit's lines
  bool energies = false;  // energies under the same traffic
  EnergyOptions energy = {};
  std::string json = {};  // "-" is standard output
};

// Prints a table, or JSON: {"first", "second": module names, "differences": [{"of", "name", "first",
// "second"}], "energy": of energy_pair_json()}; `of` is parameter, port, storage or figure, and null stands
// where a unit has no such thing. A figure of several orders of the lines is the median, with "first_range"
// and "second_range" and whether they "overlap"; where they do not, "change" is that of the medians in per
// cent. The exit status: 0 whether or not the units differ; 1 where a netlist differs from its co-simulation.
int diff(const Config& first, const Config& second, const DiffOptions& options);

}  // namespace gen
