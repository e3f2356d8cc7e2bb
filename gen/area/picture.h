// The area report as a picture: bars for gates and longest path of the unit, its baseline designs and what
// others have published, the range over the shuffles of the netlist as a line, and the gates of its parts.
#pragma once
#include <string>
#include <vector>

#include "gen/area/report.h"
#include "gen/charts/chart.h"

namespace gen {

std::vector<Chart> area_charts(const AreaReport& report);
std::string area_svg(const AreaReport& report);

}  // namespace gen
