#include "hw/l1d/cache_ports.h"

#include <fmt/format.h>

#include "hw/l1d/l1d_ports.h"
#include "hw/l1d/monitor_inputs_params.h"

namespace hw {

CachePorts::CachePorts(rtl::Module& m, const L1dParams& p) {
  core_request = cache_stream(m, p, "core_request");
  core_response = cache_stream(m, p, "core_response");
  memory_request = cache_stream(m, p, "memory_request");
  memory_response = cache_stream(m, p, "memory_response");
  flush_valid = m.input("flush_valid", 1, "all lines are to become invalid");
  flush_ready = m.output("flush_ready", 1, "all lines become invalid at this edge");
  controls = ControlPorts(m, p);
  for (const MonitorInputRow& row : monitor_input_rows)
    for (int n = 0; n < row.count(p); ++n) {
      const std::string name = monitor_input_name(row, n),
                        doc = row.numbered ? fmt::format("{} {}", row.doc, n) : std::string(row.doc);
      monitor_inputs.emplace(name, m.input(name, row.width(p), doc));
    }
}

}  // namespace hw
