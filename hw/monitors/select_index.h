// Set index of selected address bits, the lookup side of adaptive indexing (ACI thesis, section 3.3, Figure
// 6).
#pragma once
#include <string>

#include "hw/monitors/adi_monitor_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Ports: `block_address` and `sel<i>` in, `set_index` out in the same cycle: its bit i is address bit sel<i>.
rtl::Module select_index(const AdiMonitorParams& p, const std::string& name);

}  // namespace hw
