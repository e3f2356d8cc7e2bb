// A Verilated L1 data cache behind one interface, whatever the widths of its ports, so that the harness is
// compiled once for all configurations.
#pragma once
#include <cstdint>

#include "golden/l1d/l1d_types.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

// What the cache drives. Wide values are the bytes of the ports themselves, the lowest first.
struct L1dSeen {
  bool core_request_ready = false, core_response_valid = false, memory_request_valid = false,
       memory_response_ready = false, flush_ready = false;
  std::uint32_t core_response_id = 0, core_response_mask = 0, memory_request_mask = 0;
  std::uint8_t memory_request_kind = 0;
  std::uint64_t memory_request_id = 0, memory_request_address = 0;
  golden::Controls decisions = {};  // controls that the cache decides itself
  const std::uint8_t *core_response_data = nullptr, *memory_request_data = nullptr,
                     *memory_request_byte_enable = nullptr;
};

// Validity is told chunk by chunk, and chunks are fetched.
constexpr bool by_chunks(const hw::L1dParams& p) {
  return p.tags == hw::TagKind::sectored || p.tags == hw::TagKind::split;
}

class L1dDut {
 public:
  virtual ~L1dDut() = default;

  // Drives the inputs and evaluates what depends on them.
  virtual void settle(const golden::L1dIn& in) = 0;
  virtual void read(L1dSeen& seen) const = 0;
  virtual void edge() = 0;
};

}  // namespace verif
