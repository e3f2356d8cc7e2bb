// Ranges of the parameters of page placement.
#pragma once
#include "hw/range.h"

namespace hw {

struct BlppRanges {
  static constexpr Range ratio{0, 1};
  static constexpr Range period{1024, 1 << 20};
  static constexpr Range bandwidth{1, 4095};
  static constexpr Range ratio_tenths{10, 100};
  static constexpr Range bytes_per_cycle{1, 4095};
  static constexpr Range latency{1, 1023};
  static constexpr Range page_bytes{256, 1 << 22, true};
  static constexpr Range pages{1, 1 << 24};
};

}  // namespace hw
