// The area report as a picture: bars for gates and longest path, the range over the orders of lines as a
// whisker.
#pragma once
#include <string>

#include "gen/area/report.h"

namespace gen {

std::string area_svg(const AreaReport& report);

}  // namespace gen
