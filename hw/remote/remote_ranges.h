// Ranges of the parameters of remote-core probing.
#pragma once
#include "hw/range.h"
#include "hw/remote/core_selector_params.h"

namespace hw {

struct RemoteRanges {
  static constexpr Range cores{2, 128};
  static constexpr Range core{0, 127};
  static constexpr Range coverage{1, most_targets};
  static constexpr Range probes{1, 4};
  static constexpr Range probability{0, 1};
  static constexpr Range timeout{64, 32767};
  static constexpr Range outgoing{1, 32};
  static constexpr Range incoming{2, 32};
  static constexpr Range forwarded{1, 32};
  static constexpr Range replies{1, 32};
  static constexpr Range deflected{0, 8};
  static constexpr Range wait_limit{1, 1023};
  static constexpr Range filter_bits{6, 16};
  static constexpr Range entries{2, 128};  // searches of a table: entries of the MSHR file
};

struct SelectorRanges {
  static constexpr Range period{64, 65535};
  static constexpr Range count_bits{4, 12};
  static constexpr Range stages{0, 2};
};

struct TableRanges {
  static constexpr Range stages{0, 1};
};

struct PredictorRanges {
  static constexpr Range entries{1, 256};
  static constexpr Range stages{0, 1};
  static constexpr Range pc_bits{8, 32};
  static constexpr Range window{1, 1024};
};

}  // namespace hw
