// PRI: the block address modulo the largest prime not above the number of sets (ACI thesis, section 3.2.4).
#pragma once
#include "golden/index/index_widths.h"

namespace golden {

constexpr bool is_prime(unsigned n) {
  for (unsigned d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n >= 2;
}

constexpr unsigned largest_prime_up_to(unsigned n) {
  while (!is_prime(n)) --n;
  return n;
}

template <hw::IndexParams P>
struct IndexPri : IndexWidths<P> {
  using typename IndexWidths<P>::Block, typename IndexWidths<P>::Set;
  static constexpr unsigned prime = largest_prime_up_to(P.sets);
  // The low floor(log2 p) bits follow from the set and the bits above them.
  static constexpr int tag_bits = IndexWidths<P>::block - (std::bit_width(prime) - 1);

  static Set set_of(const Block& block) { return static_cast<unsigned>(block.to_uint64() % prime); }
};

}  // namespace golden
