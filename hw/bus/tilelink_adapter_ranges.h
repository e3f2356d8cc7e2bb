// Ranges of the parameters of the adapter of a TileLink bus.
#pragma once
#include "hw/bus/bus_check.h"

namespace hw {

struct TilelinkAdapterRanges : BusRanges {
  static constexpr Range source_bits{1, 16};
  static constexpr Range size_bits{2, 4};
  static constexpr Range requests{2, 64, true};
  static constexpr Range device_bit{8, 63};
  static constexpr Range core_id_bits{1, 16};
  static constexpr Range burst_bytes{4, 256, true};
};

}  // namespace hw
