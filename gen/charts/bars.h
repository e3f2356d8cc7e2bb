// Bar charts: a row for each name, with an axis and the figure behind the bar.
#pragma once
#include <string>
#include <vector>

#include "gen/charts/chart.h"

namespace gen {

struct Bar {
  std::string name;
  double value;
  std::string text;        // the figure as it is read
  std::string part = {};   // the chart within the chart: an input
  std::string kind = {};   // has a colour of its own
  bool reference = false;  // a broken line marks its figure
};

struct BarAxis {
  std::string title = {};      // with the unit
  bool same_scale = true;      // of all parts
  const char* names = "name";  // "configuration" where a page links bars of that name with other charts
};

// Of rows with `names`, value, text, reference and, where they are several, part.
nlohmann::ordered_json bars_spec(const BarAxis& axis);

Chart bar_chart(const std::string& title, const BarAxis& axis, const std::vector<Bar>& bars,
                const std::string& note = "");

}  // namespace gen
