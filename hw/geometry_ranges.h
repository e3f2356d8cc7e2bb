// Ranges of addresses, lines and chunks, the same in every unit.
#pragma once
#include "hw/range.h"

namespace hw {

struct GeometryRanges {
  static constexpr Range address_bits{20, 64};
  static constexpr Range line_bytes{32, 256, true};
  static constexpr Range chunk_bytes{8, 64, true};
};

}  // namespace hw
