// A generated unit as a request to the area flow: its Verilog in some order of the lines, its clocks, and its
// RAMs as black boxes.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gen/area/synthesis.h"
#include "hw/rtl/module.h"

namespace gen {

AreaRequest area_request(const std::string& name, const rtl::Module& top, std::uint32_t order);

// Gates and flops of one part of a unit.
struct AreaPart {
  std::string name;  // instance below the top; empty: what the top holds itself
  double gate_equivalents = 0;
  int flops = 0;
};

// The modules to keep apart so that the instances down to this depth are counted apart.
std::vector<std::string> part_modules(const rtl::Module& top, int depth);

// Their instances, as cells of a netlist that kept them apart begin: "tags.way[0]". An outer one comes first.
std::vector<std::string> part_instances(const rtl::Module& top, int depth);

// The parts, the largest first, from a synthesis that kept part_modules() apart. A part at full depth counts
// with all that is inside it.
std::vector<AreaPart> parts_of(const rtl::Module& top, const AreaResult& kept, double nand2_area);

}  // namespace gen
