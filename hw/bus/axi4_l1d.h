// An L1 data cache with AXI4 on its memory side.
#pragma once
#include <string>

#include "hw/bus/axi4_l1d_params.h"
#include "hw/l1d/l1d.h"

namespace hw {

// Module `top` with the ports of AXI4 and all ports of `native` but its streams `memory_request` and
// `memory_response`, which end in a bridge `top`_bridge.
rtl::Module with_axi4(const rtl::Module& native, const Axi4BridgeParams& p, const std::string& top);

// The cache of the parameters as module `top`_core, in module `top` with AXI4.
L1d axi4_l1d(const L1dParams& p, const std::string& top);

}  // namespace hw
