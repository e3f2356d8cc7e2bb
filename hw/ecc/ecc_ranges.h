// Ranges of the parameters of protected RAMs.
#pragma once
#include "hw/range.h"

namespace hw {

struct EccRanges {
  static constexpr Range data_bits{8, 64, true};
};

}  // namespace hw
