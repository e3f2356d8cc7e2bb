// Probe handler of remote-core probing: the side of a core that others search. Probes wait for its L1, which
// has the line or has not, and go on, go back or are answered (DC-L1 thesis, section 3.3.4).
//
// Ports: probes that come, snoops and their answers, probes that leave, replies; `clk`, `rst`. What happens
// in which cycle: docs/contracts/remote-core.md.
#pragma once
#include <string>

#include "hw/remote/probe_handler_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no handler can be built from the parameters.
void check(const ProbeHandlerParams& p);

// Checks the parameters and builds the unit as module `name`.
rtl::Module probe_handler(const ProbeHandlerParams& p, const std::string& name);

}  // namespace hw
