// Ports of the cache that lie inside an L1 subsystem.
#pragma once
#include "cosim/l1d/l1d_compare.h"
#include "golden/cache/l1d_types.h"

namespace verif {

// The model's values, for a comparison by name: what is no port of the subsystem, or is compared elsewhere,
// is as it should be.
inline L1dSeen inner_ports(const golden::L1dOut& want) {
  static constexpr golden::ByteMask none{};
  const auto bytes_of = [](const auto* words) {
    return words ? reinterpret_cast<const std::uint8_t*>(words->data()) : nullptr;
  };
  L1dSeen seen;
  seen.core_request_ready = want.core_request_ready;
  seen.core_response_valid = want.core_response_valid;
  seen.core_response_id = want.core_response_id;
  seen.core_response_mask = want.core_response_mask;
  seen.core_response_data = bytes_of(want.core_response_data);
  seen.memory_request_valid = want.memory_request_valid;
  seen.memory_request_id = want.memory_request_id;
  seen.memory_request_kind = want.memory_request_kind;
  seen.memory_request_address = want.memory_request_address;
  seen.memory_request_mask = want.memory_request_mask;
  seen.memory_request_byte_enable =
      bytes_of(want.memory_request_byte_enable ? want.memory_request_byte_enable : &none);
  seen.memory_request_data = bytes_of(want.memory_request_data);
  seen.memory_response_ready = want.memory_response_ready;
  return seen;
}

}  // namespace verif
