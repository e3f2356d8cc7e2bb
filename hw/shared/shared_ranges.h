// Ranges of the parameters of shared L1s.
#pragma once
#include "hw/range.h"

namespace hw {

struct DynebRanges {
  static constexpr Range sample_accesses{1, 1023};
  static constexpr Range execute_accesses{1, 1 << 20};
  static constexpr Range cap{0, 1 << 20};
  static constexpr Range miss_percent{0, 100};
  static constexpr Range latency{1, 1023};
};

// Routers of a mesh.
struct MeshSizeRanges {
  static constexpr Range width{2, 16};
  static constexpr Range height{2, 16};
};

struct SharedRanges {
  static constexpr Range remote_wait_limit{0, 1023};
  static constexpr Range filter_bits{6, 16};
  static constexpr Range queue_entries{2, 16};
  static constexpr Range cores{2, 128};
  static constexpr Range slices{1, 128};
  static constexpr Range memory_node{0, 255};
};

}  // namespace hw
