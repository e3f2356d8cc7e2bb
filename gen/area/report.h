// The area report: units, each with the figures of one or more orders of its lines, and what they stand
// beside.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gen/area/synthesis.h"

namespace gen {

// The same circuit in one or more orders of its lines: the order alone moves an area by several per cent.
struct AreaFigure {
  std::string name;
  std::vector<AreaResult> orders;
  bool beside = false;  // a plain form of the unit above it, for comparison
};

struct AreaReport {
  std::string library;  // where the Liberty file comes from
  std::vector<AreaFix> fixes = {};
  double nand2_area = 24;
  std::optional<double> clock_ns = {};  // the user's target: slack is reported
  std::vector<AreaFigure> figures = {};
};

struct Spread {
  double median = 0, min = 0, max = 0;
};
Spread spread_of(const AreaFigure& figure, double (*value)(const AreaResult&));

// Aligned text: a row a figure, then one line a comparison that says whether the ranges of the orders
// overlap, then the longest paths and the library.
std::string area_table(const AreaReport& report);

nlohmann::ordered_json area_json(const AreaReport& report);

}  // namespace gen
