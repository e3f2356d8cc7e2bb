// The area report: units, each with the figures of one or more orders of its lines, and what they stand
// beside.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gen/area/mapping.h"
#include "gen/area/request.h"
#include "gen/area/synthesis.h"
#include "gen/unit/unit.h"

namespace gen {

// The same circuit in one or more orders of its lines: the order alone moves an area by several per cent.
struct AreaFigure {
  std::string name;
  std::vector<AreaResult> orders;
  bool beside = false;  // a baseline design of the unit above it, for comparison
};

struct AreaReport {
  std::string library;  // where the Liberty file comes from
  std::vector<AreaFix> fixes = {};
  double nand2_area = 24;
  std::optional<double> clock_ns = {};  // the user's target: slack is reported
  std::vector<AreaFigure> figures = {};
  std::vector<PublishedFigure> published = {};  // of comparable units
  std::vector<AreaPart> parts = {};             // of the first figure, from a run that kept them apart
  std::vector<StorageArray> storage = {};       // its RAMs, black boxes
  std::vector<StorageAccount> accounts = {};
  std::map<std::string, double> macro_areas = {};  // um^2 by wrapper module
  std::string inverter = "INVX1";                  // what drives inputs and outputs of RAMs
  double ram_ns = 0;
  double load_ff = 15;                             // at outputs and inputs of RAMs
  std::map<std::string, std::string> unused = {};  // cells of a user's library that nothing is mapped to
  std::optional<RamMapping> mapping = {};          // of its RAMs, with a technology

  double macro_um2() const { return mapping ? mapping->macro_area() : 0; }
};

struct Spread {
  double median = 0, min = 0, max = 0;
};
Spread spread_of(std::vector<double> values);
Spread spread_of(const AreaFigure& figure, double (*value)(const AreaResult&));

// Aligned text: a row a figure, then one line a comparison that says whether the ranges of the orders
// overlap, the longest paths and the library; then the parts and the storage of a unit that has such.
std::string area_table(const AreaReport& report);

nlohmann::ordered_json area_json(const AreaReport& report);

}  // namespace gen
