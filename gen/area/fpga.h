// A unit on an FPGA: lookup tables, flip-flops, carry chains and RAMs by yosys' flow for the family, with
// each array as the block or distributed RAM that the flow infers.
#pragma once
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gen/area/synthesis.h"
#include "gen/unit/unit.h"

namespace gen {

// Cells of one module by kind.
struct FpgaCells {
  int luts = 0, flops = 0, carries = 0, block_rams = 0, distributed_rams = 0;
  std::map<std::string, int> by_type = {};  // as the family calls them

  void add(const FpgaCells& other, int times = 1);
};

// One shape of array.
struct FpgaArray {
  StorageArray one;  // the first of them
  int count = 0;
  FpgaCells cells = {};  // of one

  std::string kind() const;  // "block", "distributed" or "flops"
};

struct FpgaResult {
  std::string family;
  FpgaCells logic = {};  // without the arrays
  std::vector<FpgaArray> arrays = {};

  FpgaCells total() const;
};

// "xilinx7", "ecp5", "ice40".
std::vector<std::string> fpga_families();

// The kinds of the cells that yosys counted.
FpgaCells fpga_cells(const std::map<std::string, int>& by_type);

// Writes the sources of the request into the folder and runs there a script of synth-scripts, with `top` as
// top and the request's black boxes as RAMs. Throws ToolError when yosys is missing or refuses the unit.
void run_fpga_script(const std::filesystem::path& folder, const std::string& script,
                     const std::string& family, const std::string& top, const AreaRequest& request);

// Throws ToolError as run_fpga_script() does.
FpgaResult fpga(const Unit& unit, const std::string& family);

std::string fpga_table(const Unit& unit, const FpgaResult& result);
nlohmann::ordered_json fpga_json(const Unit& unit, const FpgaResult& result);

}  // namespace gen
