// Set index of selected address bits, the lookup side of adaptive indexing (ACI thesis, section 3.3, Figure
// 6).
#pragma once
#include <string>
#include <vector>

#include "hw/adaptive/adi_monitor_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Ports: `sel<i>` in, and for each of the requests, which share the decoding of sel, `<request>block_address`
// in and `<request>set_index` out in the same cycle: its bit i is address bit sel<i>.
rtl::Module select_index(const AdiMonitorParams& p, const std::string& name,
                         const std::vector<std::string>& requests = {""});

}  // namespace hw
