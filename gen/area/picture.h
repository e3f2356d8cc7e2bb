// The area report as a picture: bars for gates and longest path of the unit, its plain forms and what others
// have published, the range over the orders of lines as a line, and the gates of its parts.
#pragma once
#include <string>

#include "gen/area/report.h"

namespace gen {

std::string area_svg(const AreaReport& report);

}  // namespace gen
