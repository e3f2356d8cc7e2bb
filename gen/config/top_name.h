// The module name of a top: the preset's name and a suffix for each parameter that changes the hardware.
#pragma once
#include <cstddef>
#include <string>

#include "gen/config/catalogue.h"

namespace gen {

// Of a top that is named here, and of the modules inside (gen/unit/part_names.h).
inline constexpr std::size_t longest_made_name = 40;
// Of a top that the user names.
inline constexpr std::size_t longest_name = 80;

// CRC-32 in hexadecimal.
std::string crc32(const std::string& text);

// `params` are as the user gave them, not settled: a value equal to the one that would be taken without it
// adds nothing. Suffixes follow the order of the family's keys: letter and number; the value of a choice; for
// lists `t` and the CRC-32 of their JSON without spaces. A name that would be too long
// is cut at an underscore, and `x` with the CRC-32 of the whole name stands for the rest.
std::string top_name(const Preset& preset, const Params& params);

}  // namespace gen
