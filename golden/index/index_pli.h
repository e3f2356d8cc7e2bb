// PLI: the remainder of the block address, read as a polynomial over GF(2), by P(x) (ACI thesis, section 3.2.3).
#pragma once
#include <array>

#include "golden/index/index_widths.h"

namespace golden {

// Schoolbook long division, one bit a step: slow, and what the tables are checked against.
constexpr std::uint32_t long_division_remainder(std::uint64_t dividend, std::uint32_t divisor) {
  const int top = std::bit_width(divisor) - 1;
  for (int k = 63; k >= top; --k)
    if (dividend >> k & 1) dividend ^= std::uint64_t{divisor} << (k - top);
  return static_cast<std::uint32_t>(dividend);
}

// The default P(x): the first of its degree that no polynomial of lower degree divides, leaving out x itself.
constexpr std::uint32_t default_polynomial(int degree) {
  for (std::uint32_t p = (1u << degree) + 1;; p += 2) {
    bool prime = true;
    for (std::uint32_t d = 2; prime && d < (1u << (degree / 2 + 1)); ++d)
      prime = long_division_remainder(p, d) != 0 || d >= p;
    if (prime) return p;
  }
}

// Remainders of each value of each byte of the dividend, summed: eight look-ups at most.
class RemainderTables {
 public:
  explicit RemainderTables(std::uint32_t divisor) {
    for (int byte = 0; byte < 8; ++byte)
      for (std::uint64_t value = 0; value < 256; ++value)
        table_[byte][value] = static_cast<std::uint16_t>(long_division_remainder(value << (8 * byte), divisor));
  }

  template <int Bits>
  unsigned remainder(std::uint64_t dividend) const {
    unsigned sum = 0;
    for (int byte = 0; 8 * byte < Bits; ++byte) sum ^= table_[byte][dividend >> (8 * byte) & 255];
    return sum;
  }

 private:
  std::array<std::array<std::uint16_t, 256>, 8> table_;
};

template <hw::IndexParams P>
struct IndexPli : IndexWidths<P> {
  using typename IndexWidths<P>::Block, typename IndexWidths<P>::Set;
  static constexpr int tag_bits = P.address_bits - IndexWidths<P>::offset - IndexWidths<P>::set;
  static constexpr std::uint32_t divisor = P.poly ? P.poly : default_polynomial(IndexWidths<P>::set);

  static Set set_of(const Block& block) { return tables.template remainder<IndexWidths<P>::block>(block.to_uint64()); }

 private:
  static inline const RemainderTables tables{divisor};
};

}  // namespace golden
