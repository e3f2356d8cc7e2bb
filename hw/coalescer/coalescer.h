// Coalescer between the lanes of a SIMT core and an L1 data cache: one request for all lanes of a line (TSC,
// section 2.1; BUCL, section 2; docs/contracts/coalescer.md).
#pragma once
#include <string>

#include "hw/coalescer/coalescer_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no coalescer can be built from the parameters.
void check(const CoalescerParams& p);

// Ports: streams `lane_request` and `lane_response` of the core's lanes, `core_request` and `core_response`
// of the cache, both ways around.
rtl::Module coalescer(const CoalescerParams& p, const std::string& name);

}  // namespace hw
