// The module name of a top: the preset's name and a suffix for each parameter that changes the hardware.
#pragma once
#include <string>

#include "gen/config/family.h"

namespace gen {

// `params` are as the user gave them, not settled: a value equal to the one that would be taken without it
// adds nothing. Suffixes follow the order of the family's keys: letter and number; the value of a choice; for
// lists `t` and the CRC-32 of their JSON without spaces.
std::string top_name(const Preset& preset, const Params& params);

}  // namespace gen
