// The memory side of the adapter of a GPU core's bus: requests of the cache, and fences, on a bus of whole
// lines.
#pragma once
#include <string>
#include <vector>

#include "hw/bus/vortex_adapter_params.h"
#include "hw/rtl/stream.h"

namespace hw {

struct BusShape {
  int address_bits = 0, bytes = 0, tag_bits = 0;  // of a word: of its number, in it, of a request's tag
};
std::vector<rtl::Field> bus_request_fields(const BusShape& bus);
std::vector<rtl::Field> bus_response_fields(const BusShape& bus);

// Those of the cache's streams, on either side of it.
std::vector<rtl::Field> cache_request_fields(const VortexAdapterParams& p, int id_bits);
std::vector<rtl::Field> cache_response_fields(const VortexAdapterParams& p, int id_bits);

// Ports: `memory_request` and `memory_response` of the cache, `memory_bus_request` and `memory_bus_response`;
// `fence_valid`, `_rw`, `_io`, `_line` in and `fence_ready` out, of a fence when the cache is at rest; until
// memory has answered it `fence_waits`, then `fence_answer_valid` and `fence_answer_ready`.
rtl::Module vortex_adapter_memory(const VortexAdapterParams& p, const std::string& name);

}  // namespace hw
