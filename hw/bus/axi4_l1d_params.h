// The AXI4 bridge that an L1 data cache gets.
#pragma once
#include "hw/bus/axi4_bridge_params.h"
#include "hw/l1d/l1d_params.h"

namespace hw {

// Of a cache whose memory side has ids of `id_bits`: as many requests as the MSHR file has entries, 8 to 64.
constexpr Axi4BridgeParams axi4_bridge_of(const L1dParams& p, int id_bits) {
  int requests = 8;
  while (requests < p.mshr_entries && requests < 64) requests *= 2;
  return {.address_bits = p.address_bits,
          .line_bytes = p.line_bytes,
          .chunk_bytes = p.chunk_bytes,
          .id_bits = id_bits,
          .requests = requests,
          .check = p.check};
}

}  // namespace hw
