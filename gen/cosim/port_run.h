// A co-simulation for reports: what it found, and its first cycles at the unit's ports. Defined in cosim.cpp.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gen/cosim/cosim.h"

namespace gen {

struct PortRun {
  nlohmann::ordered_json report;
  std::string vcd;
};
// Throws ToolError when the program could not run. Prints nothing.
PortRun run_with_ports(const Config& config, const CosimRequest& request, std::int64_t cycles);

// The key=value that flags -s gave, each once, so that a call can be repeated.
std::vector<std::string> given_settings(const Config& config);

}  // namespace gen
