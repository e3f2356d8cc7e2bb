// Ports of a cache that lies inside a larger unit, which shows some of them.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/harness/port_name.h"
#include "cosim/l1d/l1d_compare.h"
#include "cosim/l1d/l1d_port_map.h"
#include "golden/cache/l1d_types.h"

namespace verif {

// The model's values, for a comparison by name: what is no port of the unit, or is compared elsewhere, is as
// it should be.
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

// By its name behind event_.
inline std::uint64_t event_of(const golden::L1dCounters& events, std::string_view name) {
  for (const auto& [counter, member] : golden::counter_names)
    if (counter == name) return events.*member;
  return 0;
}

// The first output of `dut` whose name is of the cache and that differs from the model's; `events` are those
// of its last edge.
template <class Ports, bool (*is_of_cache)(std::string_view), class Dut>
std::optional<Difference> inner_difference(Dut& dut, const golden::L1dOut& want,
                                           const golden::L1dCounters& events, L1dCompare& compare) {
  std::optional<Difference> found;
  L1dSeen seen = inner_ports(want);
  Ports::each_output(dut, [&]<PortName name>(const auto& port) {
    constexpr std::string_view text = name.view();
    if constexpr (is_of_cache(text)) {
      show_port<name>(port, seen);
      if constexpr (text.starts_with("event_"))
        if (const std::uint64_t expected = event_of(events, text.substr(6)); port != expected)
          found = Difference{std::string(text), port, expected};
    }
  });
  if (found || compare.ports(seen, want)) return found;
  const Mismatch& other = compare.found();
  return Difference{other.port, other.dut, other.golden};
}

}  // namespace verif
