// Load of each net and the transitions of its driver, by the Liberty tables of the cells. Wires have no load.
#pragma once
#include <map>
#include <vector>

#include "gen/energy/netlist.h"

namespace gen {

struct NetLoad {
  double rise_ff = 0, fall_ff = 0;  // of all pins that it drives, by direction
  double rise_ns = 0, fall_ns = 0;  // the slowest arc's
};

// What stands outside of a unit, as `area` has it.
struct PortEnvironment {
  const PowerCell* driver = nullptr;  // inverter that drives each input and each output of a RAM
  double load_ff = 0;                 // at each output, and at each input of a RAM without a Liberty cell
};

// By net. The clock `clock` is ideal: its transitions take no time.
std::vector<NetLoad> net_loads(const Netlist& netlist, const PortEnvironment& around,
                               const std::string& clock);

}  // namespace gen
