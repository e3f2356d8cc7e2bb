// The 16-bit Fibonacci LFSR of every random choice: taps 16, 14, 13, 11.
#pragma once
#include <cstdint>

namespace golden {

inline constexpr std::uint16_t lfsr_seed = 0xACE1;

constexpr std::uint16_t next_lfsr(std::uint16_t s) {
  const unsigned bit = (s ^ s >> 2 ^ s >> 3 ^ s >> 5) & 1u;
  return static_cast<std::uint16_t>(s >> 1 | bit << 15);
}
static_assert(next_lfsr(lfsr_seed) == 0x5670);

}  // namespace golden
