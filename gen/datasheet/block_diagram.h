// The instances of a unit as boxes in boxes: its parts, and what they are made of.
#pragma once
#include <string>

#include "hw/rtl/module.h"

namespace gen {

// SVG; colours follow the page.
std::string block_diagram_svg(const rtl::Module& top);

}  // namespace gen
