// Adapter between the word-wide memory bus of a GPU core, as the open GPU Vortex has it, and an L1 data
// cache; and between the cache and the same bus with whole lines (docs/contracts/vortex-adapter.md).
#pragma once
#include <string>

#include "hw/bus/vortex_adapter_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no adapter can be built from the parameters.
void check(const VortexAdapterParams& p);

// Ports: streams `bus_request` and `bus_response` of the core (with several ports `bus0_request` and so on),
// the four streams and the flush pair of the cache, `memory_bus_request` and `memory_bus_response`, what the
// cache shows of its lookups (`probe_valid` and `probe_miss`, or `event_*`), and counts.
rtl::Module vortex_adapter(const VortexAdapterParams& p, const std::string& name);

}  // namespace hw
