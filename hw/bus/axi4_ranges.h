// Ranges of the parameters of the AXI4 bridge.
#pragma once
#include "hw/range.h"

namespace hw {

struct Axi4Ranges {
  static constexpr Range id_bits{1, 40};
  static constexpr Range requests{2, 64, true};
};

}  // namespace hw
