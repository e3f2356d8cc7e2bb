// Names of the modules of a unit: what is called after its top has at most 40 characters.
#pragma once
#include <functional>
#include <string>

#include "gen/unit/unit.h"

namespace gen {

// The unit that `elaborated` makes under a name, with parts called after the top: "l1d_tags". Where one of
// these names would be too long, all are called after the preset (`stem`) and the CRC-32 of the top's name
// if that is shorter: "dc_l1_x3f55a08d_tags". One that is still too long has the CRC-32 of its own whole
// name, and its last words.
Unit with_short_names(const std::function<Unit(const std::string& name)>& elaborated, const std::string& top,
                      const std::string& stem);

}  // namespace gen
