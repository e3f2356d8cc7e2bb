// Parameters of the coalescer between a SIMT core's lanes and an L1 data cache, shared by the hardware and
// its reference model. What happens in which cycle: docs/contracts/coalescer.md.
#pragma once

namespace hw {

struct CoalescerParams {
  int address_bits = 32;  // of a byte address, 20 to 64
  int line_bytes = 128;   // of the cache, 32 to 256
  int chunk_bytes = 32;   // of a chunk of the cache, 8 to 64
  int lanes = 32;         // of the core, 4 to 64
  int lane_bytes = 4;     // most that a lane asks for, 1 to 16
  int instructions = 8;   // loads and atomics in flight, 2 to 64
  int stages = 3;         // cycles from lane_request to core_request, 2 to 4
  int core_id_bits = 8;   // of the cache's core side, 1 to 12

  bool operator==(const CoalescerParams&) const = default;
};

constexpr int chunks_of_line(const CoalescerParams& p) { return p.line_bytes / p.chunk_bytes; }
// As wide a part of a line as a lane's bytes lie in.
constexpr int words_of_line(const CoalescerParams& p) { return p.line_bytes / p.lane_bytes; }

}  // namespace hw
