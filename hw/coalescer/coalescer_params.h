// Parameters of the coalescer between a SIMT core's lanes and an L1 data cache, shared by the hardware and
// its reference model. What happens in which cycle: docs/contracts/coalescer.md.
#pragma once
#include "hw/sideband_params.h"

namespace hw {

// A coalescer knows how many requests an instruction becomes, and which of them is the first.
inline constexpr SidebandBits coalesced_sideband_bits = [] {
  SidebandBits bits{};
  bits[sideband_place(sideband::degree.name)] = degree_bits;
  bits[sideband_place(sideband::first.name)] = 1;
  return bits;
}();

struct CoalescerParams {
  int address_bits = 32;                            // of a byte address
  int line_bytes = 128;                             // of the cache
  int chunk_bytes = 32;                             // of a chunk of the cache
  int lanes = 32;                                   // of the core
  int lane_bytes = 4;                               // most that a lane asks for
  int instructions = 8;                             // loads and atomics in flight
  int stages = 3;                                   // cycles from lane_request to core_request
  int answer_stages = 2;                            // cycles from core_response to lane_response
  int core_id_bits = 8;                             // of the cache's core side
  SidebandBits sideband = coalesced_sideband_bits;  // of the cache's requests

  bool operator==(const CoalescerParams&) const = default;
};

constexpr int chunks_of_line(const CoalescerParams& p) { return p.line_bytes / p.chunk_bytes; }
// As wide a part of a line as a lane's bytes lie in.
constexpr int words_of_line(const CoalescerParams& p) { return p.line_bytes / p.lane_bytes; }

// The bits of those sideband fields that an instruction of the lanes brings: all that a coalescer cannot
// know.
constexpr SidebandBits brought_sideband_bits(const CoalescerParams& p) {
  SidebandBits bits = p.sideband;
  for (std::size_t at = 0; at < sideband_count; ++at)
    if (coalesced_sideband_bits[at]) bits[at] = 0;
  return bits;
}
// Whether a request has that field.
template <class Field>
constexpr bool has_sideband(const CoalescerParams& p, const Field& field) {
  return p.sideband[sideband_place(field.name)] > 0;
}

}  // namespace hw
