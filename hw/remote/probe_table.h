// Probe table of remote-core probing: follows a core's misses that are searched in other L1s from their
// probes to the data, and requests lines that no core has, or that take too long, from the L2 slice (DC-L1
// thesis, section 3.3.6).
//
// Ports: misses, lists of targets, replies, returning probes, and what is asked of L2; `clk`, `rst`. What
// happens in which cycle: docs/contracts/remote-core.md.
#pragma once
#include <string>

#include "hw/remote/probe_table_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no table can be built from the parameters.
void check(const ProbeTableParams& p);

// Checks the parameters and builds the unit as module `name`.
rtl::Module probe_table(const ProbeTableParams& p, const std::string& name);

}  // namespace hw
