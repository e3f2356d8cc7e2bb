// LIN: index bit i is the parity of the byte-address bits that the user lists for it.
#pragma once
#include "golden/index/byte_tables.h"
#include "golden/index/index_widths.h"

namespace golden {

template <hw::IndexParams P>
struct IndexLin : IndexWidths<P> {
  using typename IndexWidths<P>::Block, typename IndexWidths<P>::Set;
  static constexpr int tag_bits = P.address_bits - IndexWidths<P>::offset - IndexWidths<P>::set;

  static Set set_of(const Block& block) {
    return tables.template operator()<IndexWidths<P>::block>(block.to_uint64());
  }

  // The definition: one parity a set bit.
  static unsigned parities(std::uint64_t block) {
    unsigned set = 0;
    for (int i = 0; i < IndexWidths<P>::set; ++i)
      set |= (std::popcount(block << IndexWidths<P>::offset & P.taps[i]) & 1u) << i;
    return set;
  }

 private:
  static inline const ByteTables tables{parities};
};

}  // namespace golden
