// Parameters of a set-index unit, shared by the hardware and its reference model (ACI thesis, sections 3.2
// and 3.4.4).
#pragma once
#include <array>
#include <cstdint>

namespace hw {

// adi: address bits chosen at run time, so only inside a cache (ACI thesis, section 3.3).
enum class IndexKind { cvi, bxi, rxi, lin, pli, pri, adi };

// S <= 16: the default polynomials of PLI and the tap lists of LIN reach that far.
inline constexpr int max_index_bits = 16;

// Addresses have 20 bits or more, and up to 7 of them may be cut before a cache sees them (DC-L1 nodes).
inline constexpr int least_address_bits = 13;

struct IndexParams {
  IndexKind kind = IndexKind::cvi;
  int address_bits = 32;         // N: bits of a byte address (of a DC-L1 node from 13 on)
  int line_bytes = 128;          // 2^B bytes a line
  int sets = 32;                 // 2^S; at least one tag bit is left
  std::uint32_t poly = 0;        // PLI: P(x) with its top term; 0 = the smallest irreducible of degree S
  bool allow_reducible = false;  // PLI: accept a P(x) that has factors
  std::array<std::uint64_t, max_index_bits> taps =
      {};           // LIN: byte-address bits (as a mask) of each index bit
  int latency = 0;  // pipeline stages between block_address and set_index

  bool operator==(const IndexParams&) const = default;
};

}  // namespace hw
