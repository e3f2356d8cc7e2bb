// A request that a cache has sent down, on its way through the memory below.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include "golden/cache/l1d_types.h"

namespace golden {

// It changes memory and is acknowledged with mask 0.
inline bool is_write(const L1dOut& out) {
  const ByteMask* enabled = out.memory_request_byte_enable;
  return out.memory_request_kind == RequestKind::store ||
         (out.memory_request_kind == RequestKind::non_l1 && enabled &&
          std::ranges::any_of(*enabled, [](std::uint64_t word) { return word != 0; }));
}

struct MemoryRequest {
  std::uint64_t address = 0, id = 0;
  std::uint32_t mask = 0;  // chunks that it moves
  RequestKind kind = RequestKind::load;
  bool writes = false;
  int sm = 0;

  static MemoryRequest of(int sm, const L1dOut& out) {
    return {.address = out.memory_request_address,
            .id = out.memory_request_id,
            .mask = out.memory_request_mask,
            .kind = out.memory_request_kind,
            .writes = is_write(out),
            .sm = sm};
  }
  int bytes(int chunk_bytes) const { return std::popcount(mask) * chunk_bytes; }
  std::uint32_t answer_mask() const { return writes ? 0 : mask; }
};

// Cycles in which a port of that width moves so many bytes.
constexpr int port_cycles(int bytes, int port_bytes) {
  return std::max(1, (bytes + port_bytes - 1) / port_bytes);
}

}  // namespace golden
