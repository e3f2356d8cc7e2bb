// What goes through the networks between L1s and L2: a request, or an answer to one.
#pragma once
#include <cstdint>

#include "golden/gpu/memory_request.h"

namespace golden {

struct MemoryPacket {
  MemoryRequest request = {};
  std::uint32_t sectors = 0;  // sectors that an answer carries
  int from = 0, to = 0;       // ports
  int flits = 1;
};

}  // namespace golden
