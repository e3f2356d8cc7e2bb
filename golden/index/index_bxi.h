// BXI: the lowest S bits of the block address XOR the S bits above them (ACI thesis, section 3.2.1).
#pragma once
#include "golden/index/index_widths.h"

namespace golden {

template <hw::IndexParams P>
struct IndexBxi : IndexWidths<P> {
  using typename IndexWidths<P>::Block, typename IndexWidths<P>::Set;
  static constexpr int tag_bits = P.address_bits - IndexWidths<P>::offset - IndexWidths<P>::set;

  // The shift brings in zeros for address bits above N-1.
  static Set set_of(const Block& block) {
    const Block upper = block >> IndexWidths<P>::set;
    return Set(block) ^ Set(upper);
  }
};

}  // namespace golden
