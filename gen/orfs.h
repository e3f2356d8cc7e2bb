// Files for OpenROAD-flow-scripts: config.mk, constraint.sdc and the list of RAM macros of a generated unit.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace gen {

struct OrfsDesign {
  std::string top;
  std::vector<std::string> files;        // Verilog, relative to the folder that holds config.mk
  std::vector<std::string> clocks = {};  // input ports
  std::vector<std::string> resets = {};  // input ports
  std::vector<std::string> macros = {};  // modules sram_*, to be replaced by hard macros
  bool black_boxes = false;              // they are not among the files: macros are a must
  double clock_ns = 2;
  std::string platform = "nangate45";
};

// Relative name -> text.
std::map<std::string, std::string> orfs_files(const OrfsDesign& design);

}  // namespace gen
