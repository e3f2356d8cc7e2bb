// Parameters of the coalescer between a SIMT core's lanes and an L1 data cache, shared by the hardware and
// its reference model. What happens in which cycle: docs/contracts/coalescer.md.
#pragma once
#include "hw/sideband_params.h"

namespace hw {

struct CoalescerParams {
  int address_bits = 32;  // of a byte address
  int line_bytes = 128;   // of the cache
  int chunk_bytes = 32;   // of a chunk of the cache
  int lanes = 32;         // of the core
  int lane_bytes = 4;     // most that a lane asks for
  int instructions = 8;   // loads and atomics in flight
  int stages = 3;         // cycles from lane_request to core_request
  int core_id_bits = 8;   // of the cache's core side

  bool operator==(const CoalescerParams&) const = default;
};

constexpr int chunks_of_line(const CoalescerParams& p) { return p.line_bytes / p.chunk_bytes; }
// As wide a part of a line as a lane's bytes lie in.
constexpr int words_of_line(const CoalescerParams& p) { return p.line_bytes / p.lane_bytes; }

// Its requests say how many their instruction has become, and which of them is the first.
inline constexpr SidebandBits coalesced_sideband_bits = [] {
  SidebandBits bits{};
  bits[sideband_place(sideband::degree.name)] = degree_bits;
  bits[sideband_place(sideband::first.name)] = 1;
  return bits;
}();

}  // namespace hw
