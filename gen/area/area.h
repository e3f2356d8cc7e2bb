// `l1forge area`: gates, area and longest path of a unit, beside the baseline design of the same function.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/reports.h"

namespace gen {

struct AreaOptions {
  std::vector<std::string> liberty = {};  // a user's library; empty: osu018 with its wrong areas put right
  std::string tech = {};                  // a technology's TOML file, in the place of library and macros
  std::optional<double> clock_ns = {};    // target period: slack is reported
  int orders = 1;                         // of the lines of each unit, or seeds of a placement
  std::optional<int> parts = {};          // depth to which instances are listed; 1 for a unit with RAMs
  bool alone = false;                     // neither baseline designs nor parts
  double ram_ns = 0;                      // from the clock to a RAM's outputs
  std::vector<std::string> macros = {};   // Liberty files of RAM macros called after the wrappers
  bool thesis = false;                    // of a topology: those of the DC-L1 thesis instead
  std::string fpga = {};                  // a family, in the place of cells
  bool place = false;                     // by nextpnr too, for the clock
  Reports reports = {};
  std::string svg = {};  // bars of the same figures
};

// The exit status: 1 when a netlist has a latch.
int area(const Config& config, const AreaOptions& options);

}  // namespace gen
