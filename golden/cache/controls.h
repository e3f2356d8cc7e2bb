// The values of all controls of a cache in a cycle, as one value: code between a controller and the parts
// that it controls passes it on as it is.
#pragma once
#include <array>
#include <cstdint>

#include "hw/l1d/controls_params.h"

namespace golden {

class Controls {
 public:
  constexpr std::uint64_t& operator[](hw::Control c) { return values_[c.row()]; }
  constexpr std::uint64_t operator[](hw::Control c) const { return values_[c.row()]; }
  bool operator==(const Controls&) const = default;

 private:
  std::array<std::uint64_t, hw::control_rows.size()> values_{};  // 0 where the cache has no such port
};

}  // namespace golden
