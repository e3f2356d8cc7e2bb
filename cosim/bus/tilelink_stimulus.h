// The beats of a random message on channel A of a TileLink bus.
#pragma once
#include <algorithm>
#include <deque>
#include <random>

#include "golden/bus/tilelink_adapter.h"

namespace verif {

// Words of the bus in a message of 2^size bytes, and the beats on channel A of one with this opcode.
inline int tilelink_words(const hw::TilelinkAdapterParams& p, int size) {
  return std::max((1 << size) / p.data_bytes, 1);
}
inline int tilelink_beats(const hw::TilelinkAdapterParams& p, const golden::TilelinkA& a) {
  return a.opcode < 4 ? tilelink_words(p, a.size) : 1;
}

// Opcode, size, source and address are those of `a`. A partial write has any mask in each beat; one in
// `empty` has no byte.
inline std::deque<golden::TilelinkA> drawn_beats(const hw::TilelinkAdapterParams& p, golden::TilelinkA a,
                                                 std::mt19937_64& draw, unsigned empty) {
  const int bytes = std::min(1 << a.size, p.data_bytes);
  const int first = static_cast<int>(a.address % static_cast<unsigned>(p.data_bytes));
  std::deque<golden::TilelinkA> beats;
  const bool nothing = a.opcode == 1 && draw() % (4 * empty) == 0;
  for (int n = tilelink_beats(p, a); n-- > 0;) {
    a.mask = 0;
    for (int b = first; b < first + bytes; ++b) a.mask |= std::uint64_t{1} << b;
    if (a.opcode == 1) a.mask &= draw() % empty && !nothing ? draw() : 0;
    for (int w = 0; w < (p.data_bytes + 7) / 8; ++w) a.data[static_cast<std::size_t>(w)] = draw();
    beats.push_back(a);
  }
  return beats;
}

}  // namespace verif
