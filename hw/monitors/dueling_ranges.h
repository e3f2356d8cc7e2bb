// Ranges of the parameters of the reuse filter's dueling.
#pragma once
#include "hw/range.h"

namespace hw {

struct FilterDuelingRanges {
  static constexpr Range interval{64, 65536};
  static constexpr Range margin_percent{0, 100};
};

}  // namespace hw
