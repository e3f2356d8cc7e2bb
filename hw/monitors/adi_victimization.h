// Victimization of the adaptive-indexing monitor: counts ones and equal pairs of the index bits, then
// searches for the bit that distinguishes sets the least (ACI thesis, section 3.3, Figure 7).
#pragma once
#include <string>

#include "hw/monitors/adi_monitor.h"

namespace hw {

// Ports: `clear`, `sample` with `index_bits` in; `search` in, held until `done`; `done` out in the last cycle
// of the search, `victim` out from the next one on. Needs two index bits at least.
rtl::Module adi_victimization(const AdiMonitorParams& p, const std::string& name);

}  // namespace hw
