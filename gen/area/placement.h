// A unit placed and routed in an FPGA by nextpnr: the clock that it reaches there, and the cells it takes.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "gen/unit/unit.h"

namespace gen {

// Cells of one kind in a device.
struct CellUse {
  int used = 0, available = 0;
};

// What one run of nextpnr reports.
struct PlacedRun {
  double mhz = 0;
  std::string from = {}, to = {};      // ends of the slowest path
  double path_ns = 0, routing_ns = 0;  // of it
  std::map<std::string, CellUse> cells = {};
};

struct Placement {
  std::string device, tool;  // with its version
  std::string ram_cell;      // what the family calls a block RAM
  int port_bits = 0;         // each has a flip-flop around the unit
  std::vector<PlacedRun> seeds = {};
};

// Throws ConfigError for a family that nextpnr is not run for, ToolError where nextpnr is missing.
void check_placement(const std::string& family);

// One run for each of the seeds 1 to `seeds`. Throws ToolError when the unit does not fit the device.
Placement place(const Unit& unit, const std::string& family, int seeds);

// From nextpnr's report in JSON; throws ToolError on text that lacks what it looks for.
PlacedRun read_placed_run(std::string_view report);

// The kinds of cells of which nextpnr's log counts more than the device has.
std::map<std::string, CellUse> overfull_cells(std::string_view log);

std::string placement_table(const Placement& placement);
nlohmann::ordered_json placement_json(const Placement& placement);

}  // namespace gen
