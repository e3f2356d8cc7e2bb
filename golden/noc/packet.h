// Messages of the DC-L1 networks and the flits that they travel as (DC-L1 thesis, chapter 5;
// docs/contracts/dc-l1.md).
#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "golden/cache/l1d_types.h"
#include "golden/noc/home.h"
#include "hw/noc/packet_params.h"

namespace golden {

// A request, or a reply, which has id, mask and data only.
struct Message {
  RequestKind kind = RequestKind::load;
  std::uint64_t id = 0;
  std::uint64_t address = 0;
  std::uint32_t mask = 0;
  ByteMask byte_enable{};
  LineData data{};
  hw::Sideband sideband = {};  // of a core's request

  bool operator==(const Message&) const = default;
};

// What travels beside head, tail, VC and port. The enables of requests only; the rest but for the data is 0
// on flits that are not heads.
template <int flit_bytes>
struct FlitLoad {
  RequestKind kind = RequestKind::load;
  std::uint32_t mask = 0;
  std::uint64_t id = 0, line = 0;
  std::array<std::uint64_t, (flit_bytes + 63) / 64> byte_enable{};
  std::array<std::uint64_t, flit_bytes / 8> data{};
  hw::Sideband sideband = hw::no_sideband;

  bool operator==(const FlitLoad&) const = default;
};

template <int flit_bytes>
struct PacketFlit {
  int vc = 0;
  bool head = false, tail = false;
  int port = 0;  // destination of a packetiser's, source of a receiver's
  FlitLoad<flit_bytes> load{};

  bool operator==(const PacketFlit&) const = default;
};

constexpr bool has_byte_enable(const ByteMask& enables) {
  for (const std::uint64_t word : enables)
    if (word) return true;
  return false;
}

// The flits of a line that hold chunks of the mask, a bit each; all for replies that go out whole.
constexpr std::uint32_t flits_of_mask(const hw::PacketParams& p, std::uint32_t mask) {
  const int chunks = p.flit_bytes / p.chunk_bytes, all = hw::flits_of_line(p);
  std::uint32_t flits = 0;
  for (int g = 0; g < all; ++g)
    if (mask >> (g * chunks) & ((std::uint64_t{1} << chunks) - 1)) flits |= 1u << g;
  const bool whole = p.network == hw::Network::reply && !p.sectoring && flits;
  return whole ? static_cast<std::uint32_t>((std::uint64_t{1} << all) - 1) : flits;
}

// The flits that a message travels as; 0: one flit without data.
constexpr std::uint32_t flits_of(const hw::PacketParams& p, const Message& m) {
  const bool asks =
      p.network == hw::Network::request &&
      (m.kind == RequestKind::load || (m.kind == RequestKind::non_l1 && !has_byte_enable(m.byte_enable)));
  return asks ? 0 : flits_of_mask(p, m.mask);
}

// Data and byte enables of flit g of a message.
template <int flit_bytes>
FlitLoad<flit_bytes> flit_of(const hw::PacketParams& p, const Message& m, int g) {
  FlitLoad<flit_bytes> load;
  const int first = g * flit_bytes;
  for (std::size_t w = 0; w < load.data.size(); ++w) {
    const auto byte = static_cast<unsigned>(first) + 8 * static_cast<unsigned>(w);
    if (m.mask >> (byte / static_cast<unsigned>(p.chunk_bytes)) & 1) load.data[w] = m.data[byte / 8];
  }
  if (p.network == hw::Network::reply) return load;
  constexpr std::uint64_t bits =
      flit_bytes < 64 ? (std::uint64_t{1} << (flit_bytes % 64)) - 1 : ~std::uint64_t{0};
  for (std::size_t w = 0; w < load.byte_enable.size(); ++w) {
    const auto bit = static_cast<unsigned>(first) + 64 * static_cast<unsigned>(w);
    load.byte_enable[w] = m.byte_enable[bit / 64] >> (bit % 64) & bits;
  }
  return load;
}

// Puts a flit's data and byte enables where flit g of the line lies.
template <int flit_bytes>
void put_flit(Message& m, const FlitLoad<flit_bytes>& load, int g) {
  const auto first = static_cast<unsigned>(g * flit_bytes);
  for (std::size_t w = 0; w < load.data.size(); ++w) m.data[first / 8 + w] = load.data[w];
  for (std::size_t w = 0; w < load.byte_enable.size(); ++w)
    m.byte_enable[first / 64 + w] |= load.byte_enable[w] << (first % 64);
}

}  // namespace golden
