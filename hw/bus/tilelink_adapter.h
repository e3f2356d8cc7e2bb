// Adapter between a TileLink-UL or TL-UH bus of a core and an L1 data cache: Get, PutFullData, PutPartialData
// and hints, with bursts (SiFive TileLink Specification 1.8; docs/contracts/tilelink-adapter.md).
#pragma once
#include <string>

#include "hw/bus/tilelink_adapter_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no adapter can be built from the parameters.
void check(const TilelinkAdapterParams& p);

// Ports: the channels as streams `a` and `d`, and `core_request` and `core_response` of the cache.
rtl::Module tilelink_adapter(const TilelinkAdapterParams& p, const std::string& name);

}  // namespace hw
