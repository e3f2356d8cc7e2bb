// Passes over the weights of the other cores, a core a cycle: their smallest count and their running sums,
// for a selector with stages (DC-L1 thesis, section 3.3.3).
#pragma once
#include <string>

#include "hw/remote/core_selector_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Inputs: `clear`; `weights`; `scans` in each cycle of a pass, a cycle a core and two more; `adds`: it is the
// pass of the sums. Outputs: `last`, the pass's last cycle; `half`, half the smallest weight that is not 0,
// or 1; `sums`, of the first one, two .. of all weights; `triple`, three times the last of them.
rtl::Module core_scan(const CoreSelectorParams& p, const std::string& name);

}  // namespace hw
