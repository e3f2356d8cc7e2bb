// The Verilog of a topology in a system: what is around it, and what its report has of the system.
#pragma once
#include <span>

#include "cosim/noc/topology_system_run.h"

namespace verif {

// The same run with bytes on the wires.
struct BytesInSystem : TopologySystemRun {
  BytesInSystem(const hw::TopologyParams& params, const std::string& trace, const CosimOptions& options)
      : TopologySystemRun(params, trace, options) {
    carry_bytes();
  }
};

// Adds the figures of each trace's system to its JSON, and a line to the report.
void add_systems(CosimReport& report, std::span<const DcL1Result> results,
                 std::span<const SystemReport> systems);

}  // namespace verif
