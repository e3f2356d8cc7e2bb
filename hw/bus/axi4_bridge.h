// Bridge from the memory side of a cache to AXI4, which keeps the requests of each line in order (ARM IHI
// 0022; docs/contracts/axi4-bridge.md).
#pragma once
#include <string>

#include "hw/bus/axi4_bridge_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no bridge can be built from the parameters.
void check(const Axi4BridgeParams& p);

// Ports: streams `memory_request` and `memory_response` of a cache, the five AXI4 channels behind `axi_`, and
// `axi_error`.
rtl::Module axi4_bridge(const Axi4BridgeParams& p, const std::string& name);

}  // namespace hw
