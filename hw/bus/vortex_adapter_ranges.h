// Ranges of the parameters of the adapter of a GPU core's bus.
#pragma once
#include "hw/range.h"

namespace hw {

struct VortexAdapterRanges {
  static constexpr Range line_bytes{64, 128, true};
  static constexpr Range lanes{4, 32, true};
  static constexpr Range lane_bytes{4, 8, true};
  static constexpr Range ports{1, 4};
  static constexpr Range tag_bits{1, 64};
  static constexpr Range requests{2, 64, true};
  static constexpr Range core_id_bits{1, 16};
  static constexpr Range memory_id_bits{1, 40};
  static constexpr Range memory_tag_bits{1, 64};
  static constexpr Range count_bits{8, 64};
};

}  // namespace hw
