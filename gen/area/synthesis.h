// Area and longest path of a unit by yosys and OpenSTA, by the recipe in synth-scripts/.
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gen/liberty/liberty.h"

namespace gen {

struct VerilogSource {
  std::string name, text;
};

std::vector<VerilogSource> read_sources(const std::vector<std::filesystem::path>& files);

// Times of one kind of black box, whose instances are called after it with an underscore behind.
struct RamTimes {
  std::string module;
  double access_ns = 0;  // from the clock to its outputs
  double setup_ns = 0;   // of its inputs
  std::string clock;     // its pin that takes the clock
};

struct AreaRequest {
  std::string name;  // what progress and reports call it
  std::string top;
  std::vector<VerilogSource> sources;
  std::vector<std::string> clocks = {}, resets = {};  // input ports of the top
  std::vector<std::string> black_boxes = {};          // modules that stand for RAM macros
  std::string ram_clock = "clk";                      // their pin that takes the clock
  double ram_ns = 0;                                  // from the clock to their outputs
  std::vector<RamTimes> ram_times = {};               // of RAMs with times of their own
  bool has_latches = false;                           // on purpose, so they are no fault
  std::vector<std::string> keep = {};                 // modules whose borders stay; then no paths
  std::vector<std::string> first = {};  // modules that are mapped by themselves, each once for all instances
  std::vector<std::pair<std::string, std::string>> defines = {};  // Verilog macros
  double clock_ns = 1;
};

// What one module of a unit holds itself, without the modules that are kept apart from it.
struct ModuleFigure {
  double area = 0;  // um^2
  int flops = 0;
};

struct AreaResult {
  double area = 0;                             // um^2
  double gate_equivalents = 0;                 // area in NAND2
  std::map<std::string, int> cells;            // count by type, black boxes included
  int flops = 0, latches = 0;                  // a latch is a fault of the unit
  int gate_depth = 0;                          // longest chain of generic gates before mapping
  double path_ns = 0;                          // longest path, with the setup time of its flop; 0 = no path
  double slack_ns = 0;                         // to clock_ns
  std::string path_start = {}, path_end = {};  // ports, flops or pins of black boxes
  std::map<std::string, ModuleFigure> modules = {};  // where some were kept apart: those and the top

  int cell_count() const;
  double max_mhz() const { return path_ns > 0 ? 1000 / path_ns : 0; }
};

// Called at the beginning of each step of a synthesis.
using SynthesisWatch = std::function<void(const std::string& step)>;

// Throws ToolError when a tool is missing, refuses the Verilog or gives an answer that cannot be read.
AreaResult synthesize(const AreaRequest& request, const Liberty& liberty, const SynthesisWatch& watch = {});

// The netlist of `synthesize`, flat, in the JSON of yosys. Black boxes stay in it as cells, and modules that
// were kept apart are the first part of their cells' names.
std::string mapped_netlist(const AreaRequest& request, const Liberty& liberty);

// The same as synthesize() for many, on `jobs` cores (0 = all), with a line on a terminal that says how far
// they are. Results stand in the order of the requests. The first failure ends it all.
std::vector<AreaResult> synthesize_all(const std::vector<AreaRequest>& requests, const Liberty& liberty,
                                       unsigned jobs = 0);

}  // namespace gen
