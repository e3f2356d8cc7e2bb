// Who enters a shared L1 next, the core's own request or one of another core that it serves as home (DC-L1
// thesis, chapter 4; docs/contracts/shared-l1.md).
#pragma once
#include <string>

#include "hw/rtl/module.h"
#include "hw/shared/l1_arbiter_params.h"

namespace hw {

// Throws ParamError when nothing can be built from the parameters.
void check(const L1ArbiterParams& p);

// Inputs `local_valid`, `local_failed`, `served_valid`, `ready`; output `serves`.
rtl::Module l1_arbiter(const L1ArbiterParams& p, const std::string& name);

}  // namespace hw
