// Fast sums over GF(2): a function that is linear in the bits of a block address, as one look-up a byte.
#pragma once
#include <array>
#include <cstdint>

namespace golden {

class ByteTables {
 public:
  // `function` is linear: f(a ^ b) = f(a) ^ f(b). It is called with each value of each byte.
  template <class Function>
  explicit ByteTables(Function function) {
    for (int byte = 0; byte < 8; ++byte)
      for (std::uint64_t value = 0; value < 256; ++value)
        table_[byte][value] = static_cast<std::uint16_t>(function(value << (8 * byte)));
  }

  template <int Bits>
  unsigned operator()(std::uint64_t argument) const {
    unsigned sum = 0;
    for (int byte = 0; 8 * byte < Bits; ++byte) sum ^= table_[byte][argument >> (8 * byte) & 255];
    return sum;
  }

 private:
  std::array<std::array<std::uint16_t, 256>, 8> table_;
};

}  // namespace golden
