// Files for OpenROAD-flow-scripts: config.mk, constraint.sdc, the list of RAM macros of a generated unit, and
// where these may stand.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gen/area/mapping.h"

namespace gen {

struct OrfsDesign {
  std::string top;
  std::vector<std::string> files;          // Verilog, relative to the folder that holds config.mk
  std::vector<std::string> clocks = {};    // input ports
  std::vector<std::string> resets = {};    // input ports
  std::vector<std::string> macros = {};    // modules sram_*, to be replaced by hard macros
  bool black_boxes = false;                // they are not among the files: macros are a must
  std::int64_t largest_memory = 0;         // bits of an array that becomes flops
  std::optional<RamMapping> mapping = {};  // the macros that the wrappers instantiate
  FlowFolders flow = {};
  double clock_ns = 2;
  std::string platform = "nangate45";
};

// Relative name -> text.
std::map<std::string, std::string> orfs_files(const OrfsDesign& design);

}  // namespace gen
