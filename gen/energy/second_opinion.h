// The same netlist with the same activity in OpenSTA: its report_power as a second opinion. Loads,
// transitions, tables and formulas are its own; it is given the toggles of each net, and which energies of a
// cell they meet, since its estimates of these take all pins as independent.
#pragma once
#include "gen/energy/energy_meter.h"
#include "gen/liberty/liberty.h"

namespace gen {

// mW of the cells, without RAMs and without what drives the inputs.
struct CellPower {
  double internal = 0, switching = 0, leakage = 0;
  double total() const { return internal + switching + leakage; }
};

// Throws ToolError when OpenSTA is missing or gives an answer that cannot be read.
CellPower second_opinion(const Netlist& netlist, const EnergyMeter& meter, const Liberty& liberty,
                         const std::string& clock, double clock_ns);

// The line of totals in its report, in W there.
CellPower parse_power(const std::string& report);

}  // namespace gen
