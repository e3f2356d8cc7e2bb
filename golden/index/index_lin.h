// LIN: index bit i is the parity of the byte-address bits that the user lists for it.
#pragma once
#include "golden/index/index_widths.h"

namespace golden {

template <hw::IndexParams P>
struct IndexLin : IndexWidths<P> {
  using typename IndexWidths<P>::Block, typename IndexWidths<P>::Set;
  static constexpr int tag_bits = P.address_bits - IndexWidths<P>::offset - IndexWidths<P>::set;

  static Set set_of(const Block& block) {
    const std::uint64_t address = block.to_uint64() << IndexWidths<P>::offset;
    unsigned set = 0;
    for (int i = 0; i < IndexWidths<P>::set; ++i) set |= (std::popcount(address & P.taps[i]) & 1u) << i;
    return set;
  }
};

}  // namespace golden
