// Ports of the L1 data cache (hw/l1d/l1d.h names them).
#pragma once
#include "hw/l1d/l1d_params.h"
#include "hw/rtl/stream.h"
#include "hw/tags/exchange.h"

namespace hw {

struct CachePorts {
  CachePorts(rtl::Module& m, const L1dParams& p);

  rtl::Stream core_request, core_response, memory_request, memory_response;
  rtl::Expr flush_valid, flush_ready;
  Controls controls;        // wires where the cache decides a control itself
  Controls monitor_inputs;  // by name
};

}  // namespace hw
