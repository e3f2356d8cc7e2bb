// The channels of a TileLink bus at the ports of a Verilated module.
#pragma once
#include "cosim/harness/cycle_cosim.h"
#include "golden/bus/tilelink_adapter.h"

namespace verif {

template <class Source, class Address, class Mask, class Data>
struct TilelinkAPorts {
  std::uint8_t &valid, &ready, &opcode, &param, &size;
  Source& source;
  Address& address;
  Mask& mask;
  Data& data;
  std::uint8_t& corrupt;

  void drive(const std::optional<golden::TilelinkA>& a, int bytes) const {
    valid = a.has_value();
    if (!a) return;
    opcode = static_cast<std::uint8_t>(a->opcode), param = static_cast<std::uint8_t>(a->param);
    size = static_cast<std::uint8_t>(a->size), corrupt = a->corrupt;
    put(source, std::bitset<64>(a->source));
    put(address, std::bitset<64>(a->address));
    put(mask, std::bitset<64>(a->mask));
    put_words(data, a->data, 8 * bytes);
  }
};

template <class Source, class Data>
struct TilelinkDPorts {
  std::uint8_t &valid, &ready, &opcode, &param, &size;
  Source& source;
  std::uint8_t &sink, &denied;
  Data& data;
  std::uint8_t& corrupt;

  std::optional<golden::TilelinkD> shown(int bytes) const {
    if (!valid) return {};
    golden::TilelinkD d{.opcode = opcode,
                        .size = size,
                        .source = bits_of<64>(source).to_ullong(),
                        .denied = denied != 0,
                        .corrupt = corrupt != 0};
    words_of(data, d.data, 8 * bytes);
    return d;
  }
};

inline constexpr auto as_tilelink_a = [](auto&... ports) { return TilelinkAPorts{ports...}; };
inline constexpr auto as_tilelink_d = [](auto&... ports) { return TilelinkDPorts{ports...}; };

// Data of a read counts, in `bytes` of the bus.
inline std::optional<Difference> tilelink_difference(const std::optional<golden::TilelinkD>& got,
                                                     const std::optional<golden::TilelinkD>& want,
                                                     int bytes) {
  if (got.has_value() != want.has_value()) return Difference{"d_valid", got.has_value(), want.has_value()};
  if (!got) return {};
  const std::tuple<const char*, std::uint64_t, std::uint64_t> fields[] = {
      {"d_opcode", got->opcode, want->opcode},
      {"d_size", got->size, want->size},
      {"d_source", got->source, want->source},
      {"d_denied", got->denied, want->denied},
      {"d_corrupt", got->corrupt, want->corrupt}};
  for (const auto& [name, dut, golden] : fields)
    if (dut != golden) return Difference{name, dut, golden};
  for (int b = 0; b < bytes && want->opcode == 1 && !want->corrupt; ++b) {
    const auto byte = [&](const golden::TilelinkD& d) {
      return d.data[static_cast<std::size_t>(b / 8)] >> b % 8 * 8 & 0xff;
    };
    if (byte(*got) != byte(*want))
      return Difference{fmt::format("d_data, byte {}", b), byte(*got), byte(*want)};
  }
  return {};
}

}  // namespace verif
