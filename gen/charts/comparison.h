// Configurations beside each other: in a page the reader chooses figures, baseline, order, groups, colours
// and filters of bars, and of marks over two figures (comparison.js).
#pragma once
#include <string>
#include <vector>

#include "gen/charts/chart.h"

namespace gen {

struct ComparedFigure {
  std::string name, title, unit = {};
  int digits = -1;  // as many as it needs
  bool more_is_better = false;
};

struct ComparedPoint {
  std::string configuration, command;
  nlohmann::ordered_json keys = nlohmann::ordered_json::object();     // by the keys of the comparison
  nlohmann::ordered_json figures = nlohmann::ordered_json::object();  // by input, "" for none; there by name
  std::string from = {};                                              // a page about the figures
};

struct ComparisonChart {
  std::vector<std::string> inputs = {}, keys = {};
  std::vector<ComparedFigure> figures = {};
  std::vector<ComparedPoint> points = {};
  std::string baseline = {};  // a broken line marks its figure
  bool has_bars = true;
  std::string colour = {};  // the key of the colours in the beginning
  std::string across = {},
              up = {};  // figures of the marks in the beginning; without them there are bars alone
};

// What comparison.js reads.
nlohmann::ordered_json json_of(const ComparisonChart& comparison);

}  // namespace gen
