// The streams of a cache at the ports of a Verilated module, as messages.
#pragma once
#include "cosim/harness/cycle_cosim.h"
#include "golden/packet/packet.h"

namespace verif {

template <class Id, class Address, class Mask, class Enable, class Data>
struct RequestPorts {
  std::uint8_t &valid, &ready;
  Id& id;
  std::uint8_t& kind;
  Address& address;
  Mask& mask;
  Enable& byte_enable;
  Data& data;

  void drive(const golden::Message* m, int line_bytes) const {
    valid = m != nullptr;
    if (!m) return;
    put(id, std::bitset<64>(m->id));
    kind = static_cast<std::uint8_t>(m->kind);
    put(address, std::bitset<64>(m->address));
    put(mask, std::bitset<32>(m->mask));
    put_words(byte_enable, m->byte_enable, line_bytes);
    put_words(data, m->data, 8 * line_bytes);
  }
  std::optional<golden::Message> shown(int line_bytes) const {
    if (!valid) return {};
    golden::Message m{.kind = static_cast<golden::RequestKind>(kind),
                      .id = bits_of<64>(id).to_ullong(),
                      .address = bits_of<64>(address).to_ullong(),
                      .mask = static_cast<std::uint32_t>(bits_of<32>(mask).to_ulong())};
    words_of(byte_enable, m.byte_enable, line_bytes);
    words_of(data, m.data, 8 * line_bytes);
    return m;
  }
};

// The same where loads say how many requests they are, and which is the first.
template <class Request, class Degree, class First>
struct DegreePorts : Request {
  Degree& degree;
  First& first;

  void drive(const golden::Message* m, int line_bytes) const {
    Request::drive(m, line_bytes);
    if (m) degree = m->degree, first = m->first;
  }
};
template <class Request, class Degree, class First>
DegreePorts(Request, Degree&, First&) -> DegreePorts<Request, Degree, First>;

// The same where requests have the number of their instruction.
template <class Request, class Pc>
struct PcPorts : Request {
  Pc& pc;

  void drive(const golden::Message* m, int line_bytes) const {
    Request::drive(m, line_bytes);
    if (m) put(pc, std::bitset<32>(m->pc));
  }
};
template <class Request, class Pc>
PcPorts(Request, Pc&) -> PcPorts<Request, Pc>;

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

inline constexpr auto as_request = [](auto& valid, auto& ready, auto& id, auto& kind, auto& address,
                                      auto& mask, auto& byte_enable, auto& data, auto&... further) {
  RequestPorts request{valid, ready, id, kind, address, mask, byte_enable, data};
  if constexpr (sizeof...(further) == 0)
    return request;
  else if constexpr (sizeof...(further) == 1)
    return PcPorts{request, further...};
  else
    return DegreePorts{request, further...};
};
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
