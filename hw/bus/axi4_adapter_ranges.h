// Ranges of the parameters of the adapter of an AXI4 bus.
#pragma once
#include "hw/bus/bus_check.h"

namespace hw {

struct Axi4AdapterRanges : BusRanges {
  static constexpr Range id_bits{1, 16};
  static constexpr Range slots{2, 64, true};
  static constexpr Range core_id_bits{2, 16};
};

}  // namespace hw
