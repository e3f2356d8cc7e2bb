// A fair arbiter: each grant makes its input the last to be asked again (DC-L1 thesis, chapter 5).
#pragma once
#include <string>

#include "hw/noc/arbiter_round_robin_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no arbiter can be built from the parameters.
void check(const ArbiterParams& p);

// Ports: `request` and `advance` in, one-hot `grant` out in the same cycle.
rtl::Module arbiter_round_robin(const ArbiterParams& p, const std::string& name);

}  // namespace hw
