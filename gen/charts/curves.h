// Curves over a load or another figure, with limits that they cannot pass.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gen/charts/chart.h"

namespace gen {

struct CurvePoint {
  double x, y;
};

struct Curve {
  std::string name;
  std::vector<CurvePoint> points;
  std::optional<double> limit = {};  // a broken line at this x, in the curve's colour
};

struct CurveAxes {
  std::string x, y;  // titles, with units
  double most_x, most_y;
};

// A curve ends at its first point above `most_y`. At most `most_colours` curves.
Chart curve_chart(const std::string& title, const CurveAxes& axes, const std::vector<Curve>& curves);

}  // namespace gen
