// `l1forge layout`: placement and routing of a small unit in osu018 by graywolf and qrouter, with a check of wires
// by magic.
#pragma once
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "gen/config/config.h"
#include "gen/layout/def_file.h"
#include "gen/reports.h"

namespace gen {

struct LayoutReport {
  std::string top;
  int cells = 0, fillers = 0, nets = 0, tied_outputs = 0;  // outputs that are constant have no pin
  double cell_um2 = 0;                                     // of the netlist's cells
  double width_um = 0, height_um = 0;                      // of the die
  double core_um2 = 0;                                     // of the rows
  std::map<std::string, double> wire_um = {};              // of signals, by layer
  int vias = 0, failed_nets = 0, drc_errors = 0;
  double place_seconds = 0, route_seconds = 0;

  double utilisation() const { return core_um2 > 0 ? cell_um2 / core_um2 : 0; }
  double total_wire_um() const;
};

struct LayoutResult {
  LayoutReport report;
  std::string def, svg;
  std::string blif;  // the netlist that was placed
};

// More cells take graywolf and qrouter hours.
constexpr int most_layout_cells = 10'000;

// Throws ConfigError for a unit with RAMs, a topology or too many cells, and ToolError.
LayoutResult layout_of(const Config& config);

// Widths and spacings of the wires of a DEF, by magic: how many are wrong. Cells are those of the LEF,
// without their inside. Throws ToolError where magic did not read the DEF.
int wire_errors(const std::string& def, const std::string& top);

std::string layout_table(const LayoutReport& report);
nlohmann::ordered_json layout_json(const LayoutReport& report);

// Writes TOP.def and TOP.svg. The exit status: 1 for a net without a route, or an error of the wires.
int layout(const Config& config, const std::filesystem::path& folder, const Reports& reports);

}  // namespace gen
