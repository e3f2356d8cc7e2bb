// Ranges of the parameters of tag stores.
#pragma once
#include "hw/range.h"

namespace hw {

struct SplitRanges {
  static constexpr Range groups{1, 16};
  static constexpr Range chunks_per_group{1, 64};
  static constexpr Range private_tag_bits{0, 59};
};

struct ReuseFilterRanges {
  static constexpr Range ways{4, 32};
  static constexpr Range threshold{0, 255};
  static constexpr Range rc_bits{2, 8};
};

struct DecoupledRanges {
  static constexpr Range tags_per_way{1, 8};
};

}  // namespace hw
