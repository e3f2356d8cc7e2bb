#include "hw/l1d/cache_ports.h"

#include "hw/l1d/l1d_ports.h"

namespace hw {

CachePorts::CachePorts(rtl::Module& m, const L1dParams& p) {
  core_request = cache_stream(m, p, "core_request");
  core_response = cache_stream(m, p, "core_response");
  memory_request = cache_stream(m, p, "memory_request");
  memory_response = cache_stream(m, p, "memory_response");
  flush_valid = m.input("flush_valid", 1, "all lines are to become invalid");
  flush_ready = m.output("flush_ready", 1, "all lines become invalid at this edge");
  const ControlPorts steered(m, p);
  for (const Control c : all_controls)
    if (steered[c].known()) controls.emplace(c.name(), steered[c]);
}

}  // namespace hw
