// Ranges of the parameters of split tags' modes.
#pragma once
#include "hw/index/index_params.h"
#include "hw/range.h"

namespace hw {

struct ModeRanges {
  static constexpr Range threshold{1, 32766};
  static constexpr Range set{0, (1 << max_index_bits) - 1};
};

}  // namespace hw
