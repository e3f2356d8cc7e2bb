// A butterfly of switches: k^n inputs and outputs, n stages between them, one way from each input to each
// output; packets keep their virtual channel (DC-L1 thesis, chapter 4; docs/contracts/butterfly.md).
//
// Ports: inputs and outputs 0 to k^n - 1 as those of the crossbar (hw/noc/vc_crossbar.h), with the number of
// the output as `_destination` on either side and no `_source`. Instances: `switch<s>_<w>`, switch w of
// stage s, and in each `crossbar`.
#pragma once
#include <string>

#include "hw/noc/butterfly_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no butterfly can be built from the parameters.
void check(const ButterflySize& p);
void check(const ButterflyParams& p);

// Checks the parameters and builds the unit as module `name`.
rtl::Module butterfly(const ButterflyParams& p, const std::string& name);

}  // namespace hw
