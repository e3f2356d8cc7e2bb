#include "cosim/l1d/l1d_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>
#include <tuple>
#include <utility>

#include "cosim/l1d/l1d_lines.h"
#include "golden/l1d/l1d_ports.h"

namespace verif {
namespace {

constexpr std::array<std::string_view, 3> compared_in_part{"core_response_data", "memory_request_byte_enable",
                                                           "memory_request_data"};

}  // namespace

bool L1dCompare::differ(const std::string& what, std::uint64_t dut, std::uint64_t golden) {
  found_.port = what;
  found_.dut = dut;
  found_.golden = golden;
  return false;
}

bool L1dCompare::chunks(const char* what, const std::uint8_t* dut, const golden::LineData& golden,
                        std::uint32_t mask) {
  const auto* want = reinterpret_cast<const std::uint8_t*>(golden.data());
  const auto size = static_cast<std::size_t>(params_.chunk_bytes);
  for (; mask; mask &= mask - 1) {
    const std::size_t at = static_cast<std::size_t>(std::countr_zero(mask)) * size;
    if (std::memcmp(dut + at, want + at, size) == 0) continue;
    std::size_t b = at;
    while (dut[b] == want[b]) ++b;
    return differ(fmt::format("{}[{}:{}]", what, 8 * b + 7, 8 * b), dut[b], want[b]);
  }
  return true;
}

bool L1dCompare::bytes(const char* what, const std::uint8_t* dut, const golden::LineData& golden,
                       const golden::ByteMask& enables) {
  for (int w = 0; w < params_.line_bytes / 8; ++w) {
    std::uint64_t word;
    std::memcpy(&word, dut + 8 * w, 8);
    const std::uint64_t mask = enabled_bits(enables, w), want = golden[static_cast<std::size_t>(w)];
    if ((word ^ want) & mask)
      return differ(fmt::format("{}[{}:{}]", what, 64 * w + 63, 64 * w), word & mask, want & mask);
  }
  return true;
}

bool L1dCompare::core_response_data(const L1dSeen& s, const golden::L1dOut& g) {
  return !g.core_response_valid || !g.core_response_mask ||
         chunks("core_response_data", s.core_response_data, *g.core_response_data, g.core_response_mask);
}

bool L1dCompare::memory_request_data(const L1dSeen& s, const golden::L1dOut& g) {
  static constexpr golden::ByteMask none{};
  if (!g.memory_request_valid) return true;
  const golden::ByteMask& enables = g.memory_request_byte_enable ? *g.memory_request_byte_enable : none;
  for (int w = 0; w < (params_.line_bytes + 63) / 64; ++w) {
    std::uint64_t word = 0;
    std::memcpy(&word, s.memory_request_byte_enable + 8 * w,
                static_cast<std::size_t>(std::min(8, params_.line_bytes / 8)));
    if (word != enables[static_cast<std::size_t>(w)])
      return differ("memory_request_byte_enable", word, enables[static_cast<std::size_t>(w)]);
  }
  if (g.memory_request_kind == golden::RequestKind::load) return true;
  if (g.memory_request_kind == golden::RequestKind::atomic)
    return chunks("memory_request_data", s.memory_request_data, *g.memory_request_data,
                  g.memory_request_mask);
  return enables == none ||
         bytes("memory_request_data", s.memory_request_data, *g.memory_request_data, enables);
}

bool L1dCompare::same_decisions(const golden::Controls& dut, const golden::Controls& golden) {
  for (const hw::Control c : hw::all_controls)
    if (dut[c] != golden[c]) return differ(std::string(c.name()), dut[c], golden[c]);
  return true;
}

// Numbers by their names, valid or not as the table says; what is compared in part has a rule of its own.
template <std::size_t place>
bool L1dCompare::port(const L1dSeen& s, const golden::L1dOut& g) {
  constexpr auto& seen = std::get<place>(golden::all_l1d_outputs<L1dSeen>);
  constexpr auto& want = std::get<place>(golden::all_l1d_outputs<golden::L1dOut>);
  if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(s.*seen.member)>>) {
    static_assert(std::ranges::count(compared_in_part, want.name) == 1);
    return true;
  } else {
    if constexpr (std::is_member_pointer_v<decltype(want.valid)>)
      if (!(g.*want.valid)) return true;
    const auto dut = static_cast<std::uint64_t>(s.*seen.member);
    const auto golden = static_cast<std::uint64_t>(g.*want.member);
    return dut == golden || differ(std::string(want.name), dut, golden);
  }
}

bool L1dCompare::ports(const L1dSeen& s, const golden::L1dOut& g) {
  constexpr std::size_t count =
      std::tuple_size_v<std::remove_cvref_t<decltype(golden::all_l1d_outputs<L1dSeen>)>>;
  const auto numbers = [&]<std::size_t... place>(std::index_sequence<place...>) {
    return (port<place>(s, g) && ...);
  };
  if (g.undefined)
    return same("protocol_error", s.protocol_error, g.protocol_error) &&
           same("protocol_error_code", hw::code_of(s.protocol_error_code),
                hw::code_of(g.protocol_error_code));
  return numbers(std::make_index_sequence<count>()) && same_decisions(s.decisions, g.decisions) &&
         core_response_data(s, g) && memory_request_data(s, g);
}

}  // namespace verif
