// Checks of the neighbours of a crossbar with virtual channels: flits against credits and packets, credits
// against flits (docs/contracts/protocol-checks.md).
#pragma once
#include "hw/noc/vc_crossbar_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Ports: those of an input of the crossbar; `overflow` and `broken` in the cycle of the flit.
rtl::Module vc_input_check(const CrossbarParams& p);
// Ports: those of an output of the crossbar; `excess` in the cycle of the credit.
rtl::Module vc_output_check(const CrossbarParams& p);

}  // namespace hw
