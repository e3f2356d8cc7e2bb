// Ranges of the parameters of code words.
#pragma once
#include "hw/range.h"

namespace hw {

struct SecdedRanges {
  static constexpr Range data_bits{4, 64};
  static constexpr Range words{1, 32};
};

}  // namespace hw
