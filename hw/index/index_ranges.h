// Ranges of the parameters of set indices.
#pragma once
#include "hw/index/index_params.h"
#include "hw/range.h"

namespace hw {

struct IndexRanges {
  static constexpr Range sets{2, 1 << max_index_bits, true};
  static constexpr Range poly{2, (2 << max_index_bits) - 1};
  static constexpr Range tap{5, 63};
  static constexpr Range latency{0, 4};
};

}  // namespace hw
