// Sharing predictor of remote-core probing: which read misses may be found in the L1 of another core, by the
// instruction of the load (DC-L1 thesis, section 3.3.5).
//
// Ports: a miss and its instruction, a reply that counts, `clear` in; `shared`, `tracked`, `slot` out, in the
// cycle of the miss; `clk`, `rst`. What happens in which cycle: docs/contracts/remote-core.md.
#pragma once
#include <string>

#include "hw/remote/sharing_predictor_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no predictor can be built from the parameters.
void check(const SharingPredictorParams& p);

// Checks the parameters and builds the unit as module `name`.
rtl::Module sharing_predictor(const SharingPredictorParams& p, const std::string& name);

}  // namespace hw
