// PLI: the remainder of the block address, read as a polynomial over GF(2), by P(x) (ACI thesis,
// section 3.2.3).
#pragma once
#include "golden/index/byte_tables.h"
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

template <hw::IndexParams P>
struct IndexPli : IndexWidths<P> {
  using typename IndexWidths<P>::Block, typename IndexWidths<P>::Set;
  static constexpr int tag_bits = P.address_bits - IndexWidths<P>::offset - IndexWidths<P>::set;
  static constexpr std::uint32_t divisor = P.poly ? P.poly : default_polynomial(IndexWidths<P>::set);

  static Set set_of(const Block& block) {
    return tables.template operator()<IndexWidths<P>::block>(block.to_uint64());
  }

 private:
  static inline const ByteTables tables{
      [](std::uint64_t block) { return long_division_remainder(block, divisor); }};
};

}  // namespace golden
