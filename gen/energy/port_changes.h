// What lock step saw at a unit's ports, of any width, as changes by cycle: the stimulus of a gate-level
// simulation, and what its outputs must be.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gen {

struct PortChange {
  std::int64_t cycle = 0;
  int port = 0;           // index into PortChanges::ports
  std::string bits = {};  // the highest first; above them are zeros
};

struct PortChanges {
  std::vector<std::string> ports = {};
  std::vector<PortChange> changes = {};  // in the order of the cycles
  std::int64_t cycles = 0;
};

// From the VCD of a co-simulation. Throws ToolError where it shows no port.
PortChanges port_changes(std::string_view vcd);

}  // namespace gen
