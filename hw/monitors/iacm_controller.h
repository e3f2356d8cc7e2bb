// Controller of integrated adaptive cache management (ACI thesis, section 4.2): when adaptive indexing (ADI)
// and adaptive warp limiting (AWL, which it holds) run, and when neither, by the IPC of a core.
//
// Ports: `kernel_start`, `total`, `issued`, `round_done` (of ADI) in; `phase` (0 ADI, 1 AWL, 2 idle, 3 both),
// `adi_start`, `limit` out, from registers; `clk`, `rst`. What happens in which cycle:
// docs/contracts/iacm.md.
#pragma once
#include <string>

#include "hw/monitors/iacm_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no unit can be built from the parameters.
void check(const IacmParams& p);

// Checks the parameters and builds the unit as module `name`.
rtl::Module iacm_controller(const IacmParams& p, const std::string& name);

}  // namespace hw
