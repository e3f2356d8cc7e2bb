// The area report as a picture: bars for gates and longest path of the unit, its baseline designs and what
// others have published, the range over the shuffles of the netlist as a line, and the gates of its parts.
#pragma once
#include <string>

#include "gen/area/report.h"

namespace gen {

std::string area_svg(const AreaReport& report);

}  // namespace gen
