// An L1 data cache behind a coalescer, from a SIMT core's lanes to memory (TSC, section 2.1; BUCL, section 2;
// docs/contracts/l1-subsystem.md).
#pragma once
#include <string>

#include "hw/coalescer/l1_subsystem_params.h"
#include "hw/l1d/l1d.h"

namespace hw {

// Throws ParamError when no coalescer or no cache can be built from the parameters. Ports: streams
// `lane_request` and `lane_response`, and all ports of the cache but those of its core side.
L1d l1_subsystem(const L1SubsystemParams& p, const std::string& name);

}  // namespace hw
