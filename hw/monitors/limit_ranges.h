// Ranges of the parameters of warp limits.
#pragma once
#include "hw/range.h"

namespace hw {

struct LimitRanges {
  static constexpr Range warps{1, 64};
  static constexpr Range count{1, 64};  // at most `warps`
};

}  // namespace hw
