// Ranges of the parameters of an L1 data cache.
#pragma once
#include "hw/l1d/l1d_params.h"
#include "hw/range.h"

namespace hw {

struct L1dRanges {
  static constexpr Range capacity_bytes{1024, 1048576};
  static constexpr Range ways{1, 512};
  static constexpr Range sets{1, 65536, true};
  static constexpr Range mshr_entries{1, 512};
  static constexpr Range mshr_merges{1, 64};
  static constexpr Range miss_queue{1, 128};
  static constexpr Range core_id_bits{1, 32};
  static constexpr Range hit_latency{1, 2};
  static constexpr Range warp_bits{1, most_warp_bits};
  static constexpr Range pc_bits{8, 32};  // or 0: none
};

// Beyond these a cache is of models alone: each way has comparators of its own, and an age against the
// others.
inline constexpr int most_built_ways = 64, least_built_sets = 2;

// Of a node that stands for several cores (DC-L1).
inline constexpr Range capacity_of_node{1024, 2097152}, entries_of_node{1, 1024}, id_bits_of_node{1, 39};

}  // namespace hw
