// Ranges of the parameters of topologies.
#pragma once
#include "hw/range.h"

namespace hw {

struct TopologyRanges {
  static constexpr Range cores{1, 128};
  static constexpr Range nodes{1, 128};
  static constexpr Range slices{1, 128};
  static constexpr Range clusters{1, 128};
  static constexpr Range queue{2, 16};
  static constexpr Range flit_bytes{1, 256, true};
};

}  // namespace hw
