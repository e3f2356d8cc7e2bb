// BUCL's update unit, one for a GPU (BUCL, section 4): it watches one L1, the input buffer of each memory
// sub-partition and, profiling, what each SM issues, and says what all L1s compare with.
//
// Ports: `kernel_start`, `access`, `hit` (of the designated L1), `occupancy<p>` (entries in use) and, with
// update = "profile", `issued<s>` (lanes) in; `profiling`, `tucd`, `hit_rate_low`, `buffer_free` out, from
// registers; `clk`, `rst`. What happens in which cycle: docs/contracts/bucl.md.
#pragma once
#include <string>

#include "hw/policy/bucl_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no unit can be built from the parameters.
void check(const BuclParams& p);

// Checks the parameters and builds the unit as module `name`.
rtl::Module bucl_threshold_unit(const BuclParams& p, const std::string& name);

}  // namespace hw
