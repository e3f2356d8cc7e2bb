// Messages and flits of the DC-L1 networks at the ports of a Verilated module, and messages drawn at random.
#pragma once
#include "cosim/harness/cycle_cosim.h"
#include "golden/noc/packet.h"

namespace verif {

template <hw::PacketParams P>
constexpr int side_width =
    P.network == hw::Network::reply
        ? P.id_bits + hw::chunks_of_line(P)
        : 2 + P.id_bits + P.address_bits
              - std::bit_width(unsigned{P.line_bytes} - 1) + hw::chunks_of_line(P) + P.flit_bytes;

// Requests {kind, id, line number, mask, byte enables}, replies {id, mask}; the first field is the highest.
template <hw::PacketParams P>
std::bitset<side_width<P>> side_of(const golden::FlitLoad<P.flit_bytes>& load) {
  std::bitset<side_width<P>> side;
  std::size_t at = 0;
  const auto add = [&](std::uint64_t value, int bits) {
    for (int b = 0; b < bits; ++b) side[at++] = value >> b & 1;
  };
  if (P.network == hw::Network::request)
    for (int low = 0; low < P.flit_bytes; low += 64)
      add(load.byte_enable[static_cast<std::size_t>(low) / 64], std::min(64, P.flit_bytes - low));
  add(load.mask, hw::chunks_of_line(P));
  if (P.network == hw::Network::request)
    add(load.line, P.address_bits - std::bit_width(unsigned{P.line_bytes} - 1));
  add(load.id, P.id_bits);
  if (P.network == hw::Network::request) add(static_cast<std::uint64_t>(load.kind), 2);
  return side;
}

template <int flit_bytes>
std::bitset<8 * flit_bytes> data_of(const golden::FlitLoad<flit_bytes>& load) {
  std::bitset<8 * flit_bytes> bits;
  for (std::size_t b = 0; b < bits.size(); ++b) bits[b] = load.data[b / 64] >> b % 64 & 1;
  return bits;
}

// Ids of `id_bits`, of all widths; data outside the mask and byte enables of loads as they come: they must
// not travel.
template <hw::PacketParams P>
golden::Message drawn_message(std::mt19937_64& draw, int id_bits, std::uint64_t lines) {
  using Kind = golden::RequestKind;
  constexpr std::uint64_t all = (std::uint64_t{1} << hw::chunks_of_line(P)) - 1;
  golden::Message m{.id = draw() & ((std::uint64_t{1} << id_bits) - 1)};
  m.mask = static_cast<std::uint32_t>(1 + draw() % all);
  if (once_in(draw, 4)) m.mask = static_cast<std::uint32_t>(all);
  if (once_in(draw, 4)) m.mask = 1u << draw() % hw::chunks_of_line(P);
  for (std::size_t w = 0; w < P.line_bytes / 8; ++w) m.data[w] = draw();
  if (P.network == hw::Network::reply) {
    if (once_in(draw, 4)) m.mask = 0;
    return m;
  }
  m.kind = static_cast<Kind>(draw() % 4);
  const std::uint64_t top = ~std::uint64_t{0} >> (64 - P.address_bits);
  m.address = (once_in(draw, 8) ? draw() : draw() % lines * P.line_bytes + draw() % P.line_bytes) & top;
  const bool outside = m.kind == Kind::load, none = m.kind != Kind::load && once_in(draw, 3);
  for (int byte = 0; byte < P.line_bytes && !none; ++byte)
    if ((outside || m.mask >> byte / P.chunk_bytes & 1) && draw() % 4)
      m.byte_enable[static_cast<std::size_t>(byte) / 64] |= std::uint64_t{1} << byte % 64;
  return m;
}

// What of a message a receiver must give back.
template <hw::PacketParams P>
golden::Message as_received(golden::Message m) {
  const bool data = flits_of(P, m) != 0;
  for (std::size_t w = 0; w < m.data.size(); ++w)
    if (!data || w * 8 >= P.line_bytes || !(m.mask >> w * 8 / P.chunk_bytes & 1)) m.data[w] = 0;
  if (!data || P.network == hw::Network::reply) m.byte_enable = {};
  m.address = m.address / P.line_bytes * P.line_bytes;
  return m;
}

inline std::string text_of(const golden::Message& m) {
  return fmt::format("id {:#x} kind {} address {:#x} mask {:#x} data {:#x}..", m.id, static_cast<int>(m.kind),
                     m.address, m.mask, m.data[0]);
}

}  // namespace verif
