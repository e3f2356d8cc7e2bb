// Parameters of the bridge from the memory side of a cache to AXI4, shared by the hardware and its golden
// reference model.
#pragma once
#include "hw/check/check_params.h"

namespace hw {

struct Axi4BridgeParams {
  int address_bits = 32;   // N: bits of a byte address
  int line_bytes = 128;    // 2^B bytes a line
  int chunk_bytes = 32;    // bytes a chunk, at most a line
  int id_bits = 9;         // of the memory side
  int requests = 16;       // sent and not yet answered, a power of two
  CheckParams check = {};  // of what the other side of AXI4 answers

  bool operator==(const Axi4BridgeParams&) const = default;
};

constexpr int chunks_of_line(const Axi4BridgeParams& p) { return p.line_bytes / p.chunk_bytes; }
// Bytes of a beat: a whole line, up to the widest that AXI4 knows.
constexpr int beat_bytes(const Axi4BridgeParams& p) { return p.line_bytes < 128 ? p.line_bytes : 128; }
// Bits of an AXI ID, which is the number of a request in the table.
constexpr int axi_id_bits(const Axi4BridgeParams& p) {
  int bits = 1;
  while (1 << bits < p.requests) ++bits;
  return bits;
}

}  // namespace hw
