// Ranges of the parameters of the coalescer.
#pragma once
#include "hw/range.h"

namespace hw {

struct CoalescerRanges {
  static constexpr Range lanes{4, 64, true};
  static constexpr Range lane_bytes{1, 16, true};
  static constexpr Range instructions{2, 64, true};
  static constexpr Range stages{2, 4};
  static constexpr Range answer_stages{2, 3};
  static constexpr Range core_id_bits{1, 12};
};

}  // namespace hw
