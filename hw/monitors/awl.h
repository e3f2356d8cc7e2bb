// Adaptive warp limiting (ACI thesis, section 4.2.3): a search for the number of warps with which the most
// instructions are issued, by periods of different limits.
//
// Ports: `kernel_start`, `total` (the kernel's warps in the limit's scope), `start`, `issued` (thread
// instructions of the cycle) in; `limit`, `busy`, `done`, `moved` out, from registers; `clk`, `rst`. What
// happens in which cycle: docs/contracts/iacm.md.
#pragma once
#include <string>

#include "hw/monitors/awl_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no unit can be built from the parameters.
void check(const AwlParams& p);

// Checks the parameters and builds the unit as module `name`.
rtl::Module awl(const AwlParams& p, const std::string& name);

}  // namespace hw
