// The streams of a cache at the ports of a Verilated module, as messages.
#pragma once
#include <algorithm>
#include <tuple>

#include "cosim/harness/cycle_cosim.h"
#include "golden/noc/packet.h"

namespace verif {

// The ports of a sideband: one for each field that has bits.
template <hw::SidebandBits bits, class... Port>
struct SidebandPorts {
  static_assert(sizeof...(Port) == hw::sideband_count - std::ranges::count(bits, 0));
  std::tuple<Port&...> ports;

  // visit(field, port), in order.
  template <class Visit>
  void each(const Visit& visit) const {
    [&]<std::size_t... place>(std::index_sequence<place...>) { (one<place>(visit), ...); }
    (std::make_index_sequence<hw::sideband_count>());
  }

 private:
  template <std::size_t place, class Visit>
  void one(const Visit& visit) const {
    constexpr auto before = place - std::count(bits.begin(), bits.begin() + place, 0);
    if constexpr (bits[place] != 0) visit(std::get<place>(hw::sideband_fields), std::get<before>(ports));
  }
};

template <class Id, class Address, class Mask, class Enable, class Data, class Sideband>
struct RequestPorts {
  std::uint8_t &valid, &ready;
  Id& id;
  std::uint8_t& kind;
  Address& address;
  Mask& mask;
  Enable& byte_enable;
  Data& data;
  Sideband sideband;

  void drive(const golden::Message* m, int line_bytes) const {
    valid = m != nullptr;
    if (!m) return;
    put(id, std::bitset<64>(m->id));
    kind = static_cast<std::uint8_t>(m->kind);
    put(address, std::bitset<64>(m->address));
    put(mask, std::bitset<32>(m->mask));
    put_words(byte_enable, m->byte_enable, line_bytes);
    put_words(data, m->data, 8 * line_bytes);
    sideband.each(
        [&](const auto& field, auto& port) { put(port, std::bitset<32>(m->sideband.*field.value)); });
  }
  std::optional<golden::Message> shown(int line_bytes) const {
    if (!valid) return {};
    golden::Message m{.kind = static_cast<golden::RequestKind>(kind),
                      .id = bits_of<64>(id).to_ullong(),
                      .address = bits_of<64>(address).to_ullong(),
                      .mask = static_cast<std::uint32_t>(bits_of<32>(mask).to_ulong())};
    words_of(byte_enable, m.byte_enable, line_bytes);
    words_of(data, m.data, 8 * line_bytes);
    sideband.each([&](const auto& field, const auto& port) {
      using Value = std::remove_cvref_t<decltype(m.sideband.*field.value)>;
      m.sideband.*field.value = static_cast<Value>(bits_of<32>(port).to_ulong());
    });
    return m;
  }
};

template <class Id, class Mask, class Data>
struct ResponsePorts {
  std::uint8_t &valid, &ready;
  Id& id;
  Mask& mask;
  Data& data;

  void drive(const golden::Message* m, int line_bytes) const {
    valid = m != nullptr;
    if (!m) return;
    put(id, std::bitset<64>(m->id));
    put(mask, std::bitset<32>(m->mask));
    put_words(data, m->data, 8 * line_bytes);
  }
  std::optional<golden::Message> shown(int line_bytes) const {
    if (!valid) return {};
    golden::Message m{.id = bits_of<64>(id).to_ullong(),
                      .mask = static_cast<std::uint32_t>(bits_of<32>(mask).to_ulong())};
    words_of(data, m.data, 8 * line_bytes);
    return m;
  }
};

template <hw::SidebandBits bits>
inline constexpr auto as_request_with = [](auto& valid, auto& ready, auto& id, auto& kind, auto& address,
                                           auto& mask, auto& byte_enable, auto& data, auto&... sideband) {
  return RequestPorts{
      valid,
      ready,
      id,
      kind,
      address,
      mask,
      byte_enable,
      data,
      SidebandPorts<bits, std::remove_reference_t<decltype(sideband)>...>{std::tie(sideband...)}};
};
inline constexpr auto as_request = as_request_with<hw::SidebandBits{}>;
inline constexpr auto as_response = [](auto&... ports) { return ResponsePorts{ports...}; };

// A request's data counts under its byte enables, a response's under its mask.
inline std::optional<Difference> stream_difference(const std::string& stream,
                                                   const std::optional<golden::Message>& got,
                                                   const golden::Message* want, bool request, int line_bytes,
                                                   int chunk_bytes) {
  if (got.has_value() != (want != nullptr))
    return Difference{stream + "_valid", got.has_value(), want != nullptr};
  if (!got) return {};
  if (got->id != want->id) return Difference{stream + "_id", got->id, want->id};
  if (got->mask != want->mask) return Difference{stream + "_mask", got->mask, want->mask};
  if (request) {
    if (got->kind != want->kind)
      return Difference{stream + "_kind", static_cast<std::uint64_t>(got->kind),
                        static_cast<std::uint64_t>(want->kind)};
    if (got->address != want->address) return Difference{stream + "_address", got->address, want->address};
    std::optional<Difference> other;
    const auto compare = [&](const auto& field) {
      const std::uint64_t a = got->sideband.*field.value, b = want->sideband.*field.value;
      if (a != b && !other) other = Difference{fmt::format("{}_{}", stream, field.name), a, b};
    };
    std::apply([&](const auto&... field) { (compare(field), ...); }, hw::sideband_fields);
    if (other) return other;
  }
  for (unsigned byte = 0; byte < static_cast<unsigned>(line_bytes); ++byte) {
    const auto bit = [&](const golden::ByteMask& m) { return m[byte / 64] >> byte % 64 & 1; };
    const auto value = [&](const golden::Message& m) { return m.data[byte / 8] >> byte % 8 * 8 & 0xff; };
    if (request && bit(got->byte_enable) != bit(want->byte_enable))
      return Difference{fmt::format("{}_byte_enable[{}]", stream, byte), bit(got->byte_enable),
                        bit(want->byte_enable)};
    const bool counts =
        request ? bit(want->byte_enable) : want->mask >> byte / static_cast<unsigned>(chunk_bytes) & 1;
    if (counts && value(*got) != value(*want))
      return Difference{fmt::format("{}_data, byte {}", stream, byte), value(*got), value(*want)};
  }
  return {};
}

}  // namespace verif
