// DynEB, the controller of one core that finds whether its L1 should be private or shared (DC-L1 thesis,
// chapter 4): samples both, sets with an even index private and odd ones shared, and executes with the
// better.
//
// Ports: `flush`; events of requests, probes and replies in; `phase`, `even_shared`, `odd_shared`, `hold`,
// `idle` out, from registers; `clk`, `rst`. What happens in which cycle: docs/contracts/shared-l1.md.
#pragma once
#include <string>

#include "hw/rtl/module.h"
#include "hw/shared/dyneb_params.h"

namespace hw {

// Throws ParamError when no controller can be built from the parameters.
void check(const DynebParams& p);

// Checks the parameters and builds the unit as module `name`.
rtl::Module dyneb(const DynebParams& p, const std::string& name);

}  // namespace hw
