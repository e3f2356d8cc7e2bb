// Ranges of the parameters of an L1 data cache in banks.
#pragma once
#include "hw/range.h"

namespace hw {

struct BankedL1dRanges {
  static constexpr Range banks{2, 4, true};
};

}  // namespace hw
