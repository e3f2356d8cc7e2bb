// The buses of an adapter at the ports of a Verilated module, and how two requests or answers differ.
#pragma once
#include "cosim/harness/cycle_cosim.h"
#include "golden/bus/vortex_adapter.h"

namespace verif {

inline bool enabled(const golden::ByteMask& mask, unsigned byte) { return mask[byte / 64] >> byte % 64 & 1; }
inline std::uint8_t byte_of(const golden::LineData& data, unsigned byte) {
  return static_cast<std::uint8_t>(data[byte / 8] >> byte % 8 * 8);
}

template <class Address, class Data, class Enable, class Tag>
struct BusRequestPorts {
  std::uint8_t &valid, &ready, &rw;
  Address& address;
  Data& data;
  Enable& byte_enable;
  std::uint8_t &flush, &io;
  Tag& tag;

  void drive(const std::optional<golden::BusRequest>& r, int bytes) const {
    valid = r.has_value();
    if (!r) return;
    rw = r->rw, flush = r->flush, io = r->io;
    put(address, std::bitset<64>(r->address));
    put(tag, std::bitset<64>(r->tag));
    put_words(byte_enable, r->byte_enable, bytes);
    put_words(data, r->data, 8 * bytes);
  }
  std::optional<golden::BusRequest> shown(int bytes) const {
    if (!valid) return {};
    golden::BusRequest r{.rw = rw != 0,
                         .flush = flush != 0,
                         .io = io != 0,
                         .address = bits_of<64>(address).to_ullong(),
                         .tag = bits_of<64>(tag).to_ullong()};
    words_of(byte_enable, r.byte_enable, bytes);
    words_of(data, r.data, 8 * bytes);
    return r;
  }
};

template <class Data, class Tag>
struct BusResponsePorts {
  std::uint8_t &valid, &ready;
  Data& data;
  Tag& tag;

  void drive(const std::optional<golden::BusAnswer>& a, int bytes) const {
    valid = a.has_value();
    if (!a) return;
    put(tag, std::bitset<64>(a->tag));
    put_words(data, a->data, 8 * bytes);
  }
  std::optional<golden::BusAnswer> shown(int bytes) const {
    if (!valid) return {};
    golden::BusAnswer a{.tag = bits_of<64>(tag).to_ullong()};
    words_of(data, a.data, 8 * bytes);
    return a;
  }
};

inline constexpr auto as_bus_request = [](auto&... ports) { return BusRequestPorts{ports...}; };
inline constexpr auto as_bus_response = [](auto&... ports) { return BusResponsePorts{ports...}; };

// Data counts under the byte enables of stores.
inline std::optional<Difference> bus_difference(const std::string& stream,
                                                const std::optional<golden::BusRequest>& got,
                                                const std::optional<golden::BusRequest>& want, int bytes) {
  if (got.has_value() != want.has_value())
    return Difference{stream + "_valid", got.has_value(), want.has_value()};
  if (!got) return {};
  const std::tuple<const char*, std::uint64_t, std::uint64_t> fields[] = {
      {"_rw", got->rw, want->rw},
      {"_flush", got->flush, want->flush},
      {"_io", got->io, want->io},
      {"_address", got->address, want->address},
      {"_tag", got->tag, want->tag}};
  for (const auto& [name, dut, golden] : fields)
    if (dut != golden) return Difference{stream + name, dut, golden};
  for (unsigned b = 0; b < static_cast<unsigned>(bytes); ++b) {
    const bool on = enabled(want->byte_enable, b);
    if (enabled(got->byte_enable, b) != on)
      return Difference{fmt::format("{}_byte_enable[{}]", stream, b), !on, on};
    if (want->rw && on && byte_of(got->data, b) != byte_of(want->data, b))
      return Difference{fmt::format("{}_data, byte {}", stream, b), byte_of(got->data, b),
                        byte_of(want->data, b)};
  }
  return {};
}

}  // namespace verif
