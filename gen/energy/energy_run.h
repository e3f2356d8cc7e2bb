// A unit's mapped netlist in step with what its co-simulation saw at the ports, and the energies of a window.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gen/energy/energy_meter.h"
#include "gen/energy/port_changes.h"

namespace gen {

struct PortMismatch {
  std::int64_t cycle = 0;
  std::string port;
  std::string netlist, expected;  // bits, the highest first
};

// Runs cycles from 0 up to the end of the window and counts in the last ones. Ends at the first output that
// is not what the co-simulation saw. Throws ToolError for a port that the netlist has not.
std::optional<PortMismatch> run_window(const Netlist& netlist, GateSimulation& simulation,
                                       const PortChanges& ports, const std::string& clock, std::int64_t from,
                                       std::int64_t window, EnergyMeter& meter);

}  // namespace gen
