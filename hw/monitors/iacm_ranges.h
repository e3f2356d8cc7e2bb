// Ranges of the parameters of integrated adaptive cache management.
#pragma once
#include "hw/range.h"

namespace hw {

struct IacmRanges {
  static constexpr Range period{2, 1 << 20};
  static constexpr Range issue_max{1, 1024};
  static constexpr Range adi_idle{2, 1 << 20};
  static constexpr Range term{0, 255};  // of a fraction
};

}  // namespace hw
