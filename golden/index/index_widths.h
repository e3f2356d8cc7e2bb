// Widths of a set-index unit's block address, set number and tag, from the address and line size alone.
#pragma once
#include <ac_int.h>

#include <bit>
#include <cstdint>

#include "hw/index/index_params.h"

namespace golden {

template <hw::IndexParams P>
struct IndexWidths {
  static constexpr int offset = std::countr_zero(static_cast<unsigned>(P.line_bytes));
  static constexpr int block = P.address_bits - offset;
  static constexpr int set = std::countr_zero(static_cast<unsigned>(P.sets));
  using Block = ac_int<block, false>;
  using Set = ac_int<set, false>;
};

}  // namespace golden
