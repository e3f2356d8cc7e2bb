// Ranges of the parameters of the adaptive index.
#pragma once
#include "hw/monitors/adi_monitor_params.h"
#include "hw/range.h"

namespace hw {

struct AdiRanges {
  static constexpr Range sets{2, 1 << max_adi_index_bits, true};
  static constexpr Range counter_bits{2, max_adi_counter_bits};
  static constexpr Range period{2, 1 << max_adi_counter_bits};  // at most what the counters can count
  static constexpr Range idle{0, max_adi_idle};
};

}  // namespace hw
