// How many requests a second the untimed L1 data cache serves on one core.
#pragma once
#include <array>
#include <string_view>

#include "hw/l1d/l1d_params.h"

namespace golden {

struct FunctionalSpeed {
  std::string_view pattern;
  double per_second;  // requests, of processor time
  double hit_rate;
};

// Three patterns of loads; a second in all, or less with fewer repeats.
std::array<FunctionalSpeed, 3> functional_speed(const hw::L1dParams& params, int repeats = 100);

}  // namespace golden
