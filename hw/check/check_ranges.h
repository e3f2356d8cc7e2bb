// Ranges of the parameters of checks on streams.
#pragma once
#include "hw/check/check_params.h"
#include "hw/range.h"

namespace hw {

struct CheckRanges {
  static constexpr Range timeout{0, most_timeout};
};

}  // namespace hw
