// Verilog of the RAM wrappers with the bodies that a technology gives them: instances of macros, latches, or
// their own.
#pragma once
#include <string>
#include <string_view>

#include "gen/area/mapping.h"

namespace gen {

// The wrapper with another body behind the same ports.
std::string mapped_wrapper(std::string_view wrapper, const MappedArray& array);

}  // namespace gen
