#include "verif/lockstep/l1d/l1d_compare.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "verif/lockstep/l1d/l1d_lines.h"

namespace verif {
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

bool L1dCompare::core_response(const L1dSeen& s, const golden::L1dOut& g) {
  return same("core_response_id", s.core_response_id, g.core_response_id) &&
         same("core_response_mask", s.core_response_mask, g.core_response_mask) &&
         (!g.core_response_mask ||
          chunks("core_response_data", s.core_response_data, *g.core_response_data, g.core_response_mask));
}

bool L1dCompare::memory_request(const L1dSeen& s, const golden::L1dOut& g) {
  static constexpr golden::ByteMask none{};
  const golden::ByteMask& enables = g.memory_request_byte_enable ? *g.memory_request_byte_enable : none;
  const auto kind = g.memory_request_kind;
  if (!(same("memory_request_id", s.memory_request_id, g.memory_request_id) &&
        same("memory_request_kind", s.memory_request_kind, static_cast<unsigned>(kind)) &&
        same("memory_request_address", s.memory_request_address, g.memory_request_address) &&
        same("memory_request_mask", s.memory_request_mask, g.memory_request_mask)))
    return false;
  for (int w = 0; w < (params_.line_bytes + 63) / 64; ++w) {
    std::uint64_t word = 0;
    std::memcpy(&word, s.memory_request_byte_enable + 8 * w,
                static_cast<std::size_t>(std::min(8, params_.line_bytes / 8)));
    if (word != enables[static_cast<std::size_t>(w)])
      return differ("memory_request_byte_enable", word, enables[static_cast<std::size_t>(w)]);
  }
  if (kind == golden::RequestKind::load) return true;
  if (kind == golden::RequestKind::atomic)
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

bool L1dCompare::ports(const L1dSeen& s, const golden::L1dOut& g) {
  return same("core_request_ready", s.core_request_ready, g.core_request_ready) &&
         same("core_response_valid", s.core_response_valid, g.core_response_valid) &&
         same("memory_request_valid", s.memory_request_valid, g.memory_request_valid) &&
         same("memory_response_ready", s.memory_response_ready, g.memory_response_ready) &&
         same("flush_ready", s.flush_ready, g.flush_ready) && same_decisions(s.decisions, g.decisions) &&
         (!g.core_response_valid || core_response(s, g)) && (!g.memory_request_valid || memory_request(s, g));
}

}  // namespace verif
