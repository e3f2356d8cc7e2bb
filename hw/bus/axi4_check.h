// A check of what comes back over AXI4: each B and R belongs to a write or read in flight, and each read ends
// with its last beat (docs/contracts/protocol-checks.md).
#pragma once
#include <string>

#include "hw/bus/axi4_bridge_params.h"
#include "hw/rtl/module.h"

namespace hw {

rtl::Module axi4_check(const Axi4BridgeParams& p, const std::string& name);

}  // namespace hw
