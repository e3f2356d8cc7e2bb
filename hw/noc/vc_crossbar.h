// A crossbar with virtual channels and credits, matched by iSLIP (DC-L1 thesis, chapter 5;
// docs/vc-crossbar-timing.md).
#pragma once
#include <string>

#include "hw/noc/vc_crossbar_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no crossbar can be built from the parameters.
void check(const CrossbarParams& p);

// State for benches: instance `input<i>` has `accept_pointer_q` and, below `each_vc[v].queue` (`queue` for one
// VC), `valid_q`; instance `output<j>` has `head_pointer_q`, `vc_pointer_q`, `owner<u>_q` and `spent<u>_q`.
// Pointers over one line do not exist; the others are masks as in hw/noc/round_robin.h.
rtl::Module vc_crossbar(const CrossbarParams& p, const std::string& name);

}  // namespace hw
