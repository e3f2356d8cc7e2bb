// Curves over one axis, with bounds as broken lines.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gen/charts/chart.h"

namespace gen {

struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points = {};
  std::optional<double> bound = {};  // on the axis across
};

struct LineAxes {
  std::string x = {}, y = {};  // with units
  double most_x = 0, most_y = 0;  // curves end there
};

Chart line_chart(const std::string& title, const LineAxes& axes, const std::vector<Curve>& curves);

}  // namespace gen
