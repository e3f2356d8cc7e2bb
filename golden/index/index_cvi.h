// CVI: the set is the low bits of the block address, the tag is the rest (ACI thesis, section 3.2).
#pragma once
#include "golden/index/index_widths.h"

namespace golden {

template <hw::IndexParams P>
struct IndexCvi : IndexWidths<P> {
  using typename IndexWidths<P>::Block, typename IndexWidths<P>::Set;
  static constexpr int tag_bits = P.address_bits - IndexWidths<P>::offset - IndexWidths<P>::set;

  static Set set_of(const Block& block) { return block.template slc<IndexWidths<P>::set>(0); }
};

}  // namespace golden
