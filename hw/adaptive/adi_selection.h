// Selection of the adaptive-indexing monitor: counts how often each candidate bit changes within a set of the
// index bits that stay, then searches for the one that changes most (ACI thesis, section 3.3, Figure 8).
#pragma once
#include <string>

#include "hw/adaptive/adi_monitor.h"

namespace hw {

// Ports: `clear`, `sample` with `block_address` and, from two index bits on, `index_bits` and `victim` in;
// `sels` in, the address bits of the index bits, and `victim_sel`, the victim's; `search` in, held until
// `done`; `done` out in the last cycle of the search, `winner` out from the next one on.
rtl::Module adi_selection(const AdiMonitorParams& p, const std::string& name);

}  // namespace hw
