// Compares what an AXI4 manager shows with what its reference model does.
#pragma once
#include "cosim/bus/axi4_rules.h"
#include "cosim/harness/cycle_cosim.h"
#include "golden/bus/axi4_bridge.h"

namespace verif {

inline std::optional<Difference> axi4_address_difference(const std::string& channel, const Axi4Channel& got,
                                                         const golden::Axi4Address& want) {
  if (!got.valid) return {};
  const std::pair<const char*, std::pair<std::uint64_t, std::uint64_t>> fields[] = {
      {"id", {got.id, want.id}},          {"addr", {got.address, want.address}},
      {"len", {got.length, want.length}}, {"size", {got.size, want.size}},
      {"cache", {got.cache, want.cache}}, {"prot", {got.prot, 0}}};
  for (const auto& [name, values] : fields)
    if (values.first != values.second) return Difference{channel + name, values.first, values.second};
  return {};
}

inline std::optional<Difference> axi4_write_difference(const Axi4WriteChannel& got,
                                                       const golden::Axi4Out& want, int beat_bytes) {
  if (!got.valid) return {};
  if (got.last != want.w_last) return Difference{"axi_wlast", got.last, want.w_last};
  for (std::size_t byte = 0; byte < static_cast<std::size_t>(beat_bytes); ++byte) {
    const bool strobe = want.w_strobe[byte / 64] >> byte % 64 & 1;
    if ((got.strobe[byte / 64] >> byte % 64 & 1) != strobe)
      return Difference{fmt::format("axi_wstrb[{}]", byte), !strobe, strobe};
    const auto of = [&](std::uint64_t word) { return word >> byte % 8 * 8 & 0xff; };
    if (strobe && of(got.data[byte / 8]) != of(want.w_data[byte / 8]))
      return Difference{fmt::format("axi_wdata[{}:{}]", 8 * byte + 7, 8 * byte), of(got.data[byte / 8]),
                        of(want.w_data[byte / 8])};
  }
  return {};
}

// Fields count while valid, data under the strobes.
inline std::optional<Difference> axi4_difference(const Axi4Shown& got, bool error,
                                                 const golden::Axi4Out& want, int beat_bytes) {
  const std::pair<const char*, std::pair<bool, bool>> flags[] = {
      {"axi_awvalid", {got.aw.valid, want.aw.valid}}, {"axi_wvalid", {got.w.valid, want.w_valid}},
      {"axi_arvalid", {got.ar.valid, want.ar.valid}}, {"axi_bready", {got.b_ready, want.b_ready}},
      {"axi_rready", {got.r_ready, want.r_ready}},    {"axi_error", {error, want.error}}};
  for (const auto& [name, values] : flags)
    if (values.first != values.second) return Difference{name, values.first, values.second};
  if (const auto d = axi4_address_difference("axi_aw", got.aw, want.aw)) return d;
  if (const auto d = axi4_address_difference("axi_ar", got.ar, want.ar)) return d;
  return axi4_write_difference(got.w, want, beat_bytes);
}

// Of a manager that checks its answers.
template <class Dut>
std::optional<Difference> axi4_protocol_difference(const Dut& dut, const golden::Axi4Out& want) {
  const std::uint64_t code = hw::code_of(want.protocol_error_code);
  if (dut.protocol_error_code != code)
    return Difference{"protocol_error_code", dut.protocol_error_code, code};
  if (dut.protocol_error != (code != 0)) return Difference{"protocol_error", dut.protocol_error, code != 0};
  return {};
}

}  // namespace verif
