// Marks over two figures, with their front: configurations that no other beats.
#pragma once
#include <string>
#include <vector>

#include "gen/charts/chart.h"

namespace gen {

struct Mark {
  std::string configuration;
  double x, y;
  bool on_front = false;
};

// Of rows with configuration, command, x, y, and whether they are on the front.
nlohmann::ordered_json scatter_spec();

// On logarithmic scales where all figures are positive, with numbers at the marks of the front and their
// names below. `marks` are in the order of x.
Chart front_chart(const std::string& title, const std::string& x_title, const std::string& y_title,
                  const std::vector<Mark>& marks);

}  // namespace gen
