// Ports of the L1 data cache (hw/l1d/l1d.h names them).
#pragma once
#include <map>
#include <string>

#include "hw/l1d/l1d_ports.h"
#include "hw/rtl/stream.h"

namespace hw {

using MonitorInputs = std::map<std::string, rtl::Expr>;  // ports by name

struct CachePorts {
  CachePorts(rtl::Module& m, const L1dParams& p);

  rtl::Stream core_request, core_response, memory_request, memory_response;
  rtl::Expr flush_valid, flush_ready;
  ControlPorts controls;  // wires where the cache decides a control itself
  MonitorInputs monitor_inputs;
};

}  // namespace hw
