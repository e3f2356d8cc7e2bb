// Selection of the adaptive-indexing monitor: counts how often each candidate bit changes within a set of the
// index bits that stay, then searches for the one that changes most (ACI thesis, section 3.3, Figure 8).
#pragma once
#include <string>

#include "hw/monitors/adi_monitor.h"

namespace hw {

// Ports: `clear`, `sample` with `block_address` and, from two index bits on, a cycle later `index_bits`;
// `sels` in, the address bits of the index bits. From two on: `arrange` in, held until `arranged`, after
// `victim` was found and before the first sample. `search` in, held until `done`; `done` and `moves` out in
// the last cycle of the search, `winner` from the next one on.
rtl::Module adi_selection(const AdiMonitorParams& p, const std::string& name);

}  // namespace hw
