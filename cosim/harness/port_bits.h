// Bits of Verilated ports of any width: integers up to 64 bits, arrays of 32-bit words beyond.
#pragma once
#include <array>
#include <bitset>
#include <cstdint>
#include <type_traits>

namespace verif {

template <std::size_t n, class Port>
void put(Port& port, const std::bitset<n>& bits) {
  if constexpr (std::is_integral_v<Port>) {
    port = static_cast<Port>(bits.to_ullong());
  } else {
    for (std::size_t w = 0; w * 32 < n; ++w) port[w] = 0;
    for (std::size_t b = bits._Find_first(); b < n; b = bits._Find_next(b)) port[b / 32] |= 1u << b % 32;
  }
}

template <std::size_t n, class Port>
std::bitset<n> bits_of(const Port& port) {
  if constexpr (std::is_integral_v<Port>) {
    return port;
  } else {
    std::bitset<n> bits;
    for (std::size_t w = 0; w * 32 < n; ++w)
      for (std::uint32_t left = port[w]; left; left &= left - 1)
        bits.set(w * 32 + static_cast<std::size_t>(__builtin_ctz(left)));
    return bits;
  }
}

// 64 bits from `low` on.
template <std::size_t n>
std::uint64_t word_of(const std::bitset<n>& bits, std::size_t low) {
  std::uint64_t word = 0;
  for (std::size_t b = low; b < n && b < low + 64; ++b) word |= std::uint64_t{bits[b]} << (b - low);
  return word;
}

// Words of a port of any width, and back.
template <std::size_t n, class Port>
void words_of(const Port& port, std::array<std::uint64_t, n>& words, int bits) {
  if constexpr (std::is_integral_v<Port>)
    words[0] = port;
  else
    for (int w = 0; w * 64 < bits; ++w)
      words[static_cast<std::size_t>(w)] =
          port[2 * w] | (bits > w * 64 + 32 ? std::uint64_t{port[2 * w + 1]} << 32 : 0);
}

template <class Port, std::size_t n>
void put_words(Port& port, const std::array<std::uint64_t, n>& words, int bits) {
  if constexpr (std::is_integral_v<Port>)
    port = static_cast<Port>(words[0]);
  else
    for (int w = 0; w * 32 < bits; ++w)
      port[w] = static_cast<std::uint32_t>(words[static_cast<std::size_t>(w / 2)] >> w % 2 * 32);
}

}  // namespace verif
