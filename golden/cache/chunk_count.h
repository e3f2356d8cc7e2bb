// How many chunks a mask has, without the library call that counting bits is on processors of unknown age.
#pragma once
#include <array>
#include <bit>
#include <cstdint>

namespace golden {

inline constexpr auto bits_of_byte = [] {
  std::array<std::uint8_t, 256> table{};
  for (unsigned value = 0; value < 256; ++value)
    table[value] = static_cast<std::uint8_t>(std::popcount(value));
  return table;
}();

// Few caches have more than eight chunks a line.
inline unsigned chunk_count(std::uint32_t mask) {
  if (mask < 256) [[likely]]
    return bits_of_byte[mask];
  return static_cast<unsigned>(std::popcount(mask));
}

}  // namespace golden
