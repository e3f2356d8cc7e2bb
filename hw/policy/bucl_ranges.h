// Ranges of the parameters of BUCL.
#pragma once
#include "hw/range.h"

namespace hw {

struct BuclRanges {
  static constexpr Range period{1, 65536};
  static constexpr Range threshold{0, 63};  // requests of a load
  static constexpr Range sub_partitions{1, 64};
  static constexpr Range buffer_entries{1, 64};
  static constexpr Range sms{1, 128};
  static constexpr Range designated_sm{0, 127};
  static constexpr Range profile_cycles{1, 65536};
  static constexpr Range issue_max{1, 255};
  static constexpr Range term{0, 255};  // of a fraction
};

}  // namespace hw
