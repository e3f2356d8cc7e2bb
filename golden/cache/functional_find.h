// Which entries of a set hold a line, chunk or tag, as bits.
#pragma once
#include <array>
#include <cstdint>

namespace golden {

template <class Bits, unsigned Width>
inline constexpr auto bits_of_entries = [] {
  std::array<Bits, 8 * sizeof(Bits) / Width> bits{};
  for (unsigned n = 0; n < bits.size(); ++n) bits[n] = static_cast<Bits>((Bits{1} << Width) - 1) << n * Width;
  return bits;
}();

// `Width` bits an entry, set where `matches(keys[n])`. Bits are as wide as keys, and nothing is inlined into
// a larger loop, so that the compiler makes vectors of all keys.
template <unsigned Entries, unsigned Width = 1, class Key, class Matches>
[[gnu::noinline]] Key entries_where(const Key* keys, Matches matches) {
  static_assert(Entries * Width <= 8 * sizeof(Key) && Width < 8 * sizeof(Key));
  Key found = 0;
  for (unsigned n = 0; n < Entries; ++n) found |= bits_of_entries<Key, Width>[n] & -Key{matches(keys[n])};
  return found;
}

}  // namespace golden
