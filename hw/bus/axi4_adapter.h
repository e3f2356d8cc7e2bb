// Adapter between an AXI4 bus of a core and an L1 data cache: each beat of a burst is a request of the cache
// (ARM IHI 0022; docs/contracts/axi4-adapter.md).
#pragma once
#include <string>

#include "hw/bus/axi4_adapter_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no adapter can be built from the parameters.
void check(const Axi4AdapterParams& p);

// Ports: the five channels as `s_axi_*`, and the streams `core_request` and `core_response` of the cache.
rtl::Module axi4_adapter(const Axi4AdapterParams& p, const std::string& name);

}  // namespace hw
