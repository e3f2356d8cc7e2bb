// Ranges of the parameters of protection distances.
#pragma once
#include "hw/range.h"

namespace hw {

struct ProtectionDistanceRanges {
  static constexpr Range sets{2, 1024, true};
  static constexpr Range ways{1, 16};
  static constexpr Range distance{1, 255};
};

}  // namespace hw
