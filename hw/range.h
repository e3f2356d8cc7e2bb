// The values that a parameter may have. A range stands once, in the `*_ranges.h` beside the parameters: the
// check at elaboration reads it, and so do keys, their schema, their messages and their documentation.
#pragma once
#include <bit>
#include <cstdint>

namespace hw {

struct Range {
  std::int64_t least = 0, most = 0;
  bool power_of_two = false;

  constexpr bool holds(std::int64_t value) const {
    return value >= least && value <= most &&
           (!power_of_two || (value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value))));
  }
  bool operator==(const Range&) const = default;
};

}  // namespace hw
