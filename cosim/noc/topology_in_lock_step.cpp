#include "cosim/noc/topology_in_lock_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cosim/harness/system_json.h"
#include "golden/trace/io/json_text.h"

namespace verif {

void add_systems(CosimReport& report, std::span<const DcL1Result> results,
                 std::span<const SystemReport> systems) {
  for (auto& [name, text] : report.json) {
    if (name != "traces") continue;
    auto traces = nlohmann::ordered_json::parse(text);
    for (std::size_t i = 0; i < systems.size(); ++i) {
      const SystemReport& system = systems[i];
      const double ipc = static_cast<double>(system.thread_instructions) /
                         static_cast<double>(std::max<std::int64_t>(1, results[i].cycles));
      auto& json = traces[i];
      json["warp_instructions"] = system.warp_instructions;
      json["thread_instructions"] = system.thread_instructions;
      json["ipc"] = ipc;
      json["issue_cycles"] = json_of(system.issue_cycles);
      json["cycles_by_cause"] = json_of(system.causes);
      add_memory(json, system.memory);
      report.lines.push_back(fmt::format("  in the system: {:.2f} IPC, {} requests to L2, {} bytes from DRAM",
                                         ipc, system.memory.requests, system.memory.dram.bytes_read));
    }
    text = golden::json_text(traces);
  }
}

}  // namespace verif
