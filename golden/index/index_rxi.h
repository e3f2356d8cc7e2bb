// RXI: the five published equations over byte-address bits (ACI thesis, section 3.2.2).
#pragma once
#include "golden/index/index_widths.h"

namespace golden {

template <hw::IndexParams P>
struct IndexRxi : IndexWidths<P> {
  using typename IndexWidths<P>::Block, typename IndexWidths<P>::Set;
  static constexpr int tag_bits = P.address_bits - IndexWidths<P>::offset - IndexWidths<P>::set;

  static Set set_of(const Block& block) {
    const auto a = [&](int k) { return static_cast<unsigned>(block.to_uint64() >> (k - 7) & 1); };
    return (a(19) ^ a(11)) << 4 | (a(17) ^ a(10)) << 3 | (a(15) ^ a(9)) << 2 | (a(14) ^ a(8)) << 1 |
           (a(13) ^ a(7));
  }
};

}  // namespace golden
