// The last cycle of a period, as a named constant of a module.
#pragma once
#include <fmt/format.h>

#include "hw/rtl/module.h"

namespace hw {

inline rtl::Expr last_cycle(rtl::Module& m, int width, int period) {
  return m.constant("LAST_CYCLE", width, static_cast<std::uint64_t>(period) - 1,
                    fmt::format("of a period of {} cycles", period));
}

}  // namespace hw
