// What the energy of a cycle consists of: clock, flip-flops, gates, inputs and RAM macros, or the parts of a
// unit.
#pragma once
#include <string>
#include <vector>

#include "gen/energy/netlist.h"

namespace gen {

// Groups by number, in the order of their names.
struct EnergyGroups {
  std::vector<std::string> names = {};
  std::vector<int> of_cell = {};
  std::vector<int> of_clock_pins = {};  // by cell
  std::vector<int> of_net = {};         // of the charge of a net that no cell drives
};

// The innermost of the instances that a cell lies in, or empty for the top.
std::string part_of(const std::string& cell, const std::vector<std::string>& instances);

// Without instances by what cells are. With them a group for each that has cells and one for the `top`; the
// nets that no cell drives are a group then, since they belong to no part.
EnergyGroups energy_groups(const Netlist& netlist, const std::vector<std::string>& instances,
                           const std::string& clock, const std::string& top);

}  // namespace gen
