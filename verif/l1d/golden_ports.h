// The outputs of the golden model of an L1 data cache, in the form of a Verilated cache.
#pragma once
#include "cosim/l1d/l1d_dut.h"
#include "golden/cache/l1d_types.h"

namespace verif {

inline L1dSeen as_ports(const golden::L1dOut& out) {
  static constexpr golden::LineData no_line{};
  static constexpr golden::ByteMask no_bytes{};
  const auto bytes = [](const auto& words) { return reinterpret_cast<const std::uint8_t*>(words.data()); };
  L1dSeen seen;
  seen.core_request_ready = out.core_request_ready;
  seen.core_response_valid = out.core_response_valid;
  seen.core_response_id = out.core_response_id;
  seen.core_response_mask = out.core_response_mask;
  seen.core_response_data = bytes(out.core_response_data ? *out.core_response_data : no_line);
  seen.memory_request_valid = out.memory_request_valid;
  seen.memory_request_id = out.memory_request_id;
  seen.memory_request_kind = out.memory_request_kind;
  seen.memory_request_address = out.memory_request_address;
  seen.memory_request_mask = out.memory_request_mask;
  seen.memory_request_byte_enable =
      bytes(out.memory_request_byte_enable ? *out.memory_request_byte_enable : no_bytes);
  seen.memory_request_data = bytes(out.memory_request_data ? *out.memory_request_data : no_line);
  seen.memory_request_pc = out.memory_request_pc;
  seen.memory_response_ready = out.memory_response_ready;
  seen.flush_ready = out.flush_ready;
  seen.ecc_uncorrectable = out.ecc_uncorrectable;
  seen.ecc_uncorrectable_id = out.ecc_uncorrectable_id;
  return seen;
}

}  // namespace verif
