// A mapped netlist in the BLIF that blif2cel reads: a line for each cell, a name for each net.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace gen {

struct Blif {
  std::string text;
  int cells = 0, tied_outputs = 0;  // outputs that are constant, which have no pin
};

// `module` is the top in the JSON of yosys. An output that is an input, or another output, gets a buffer of
// its own: a net has one pin at the border. Throws ToolError where a pin of a cell is constant.
Blif blif_of(const nlohmann::json& module, const std::string& top);

}  // namespace gen
