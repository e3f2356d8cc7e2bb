// What a cache's own monitors are told of the GPU around it in a cycle, as one value.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "hw/l1d/monitor_inputs_params.h"

namespace golden {

class MonitorInputs {
 public:
  constexpr std::uint8_t& operator[](hw::MonitorInput input) { return values_[input.slot()]; }
  constexpr std::uint8_t operator[](hw::MonitorInput input) const { return values_[input.slot()]; }
  // All of a row, the first `input`.
  constexpr std::span<std::uint8_t> from(hw::MonitorInput input) {
    return std::span(values_).subspan(input.slot(), most(input));
  }
  constexpr std::span<const std::uint8_t> from(hw::MonitorInput input) const {
    return std::span(values_).subspan(input.slot(), most(input));
  }

 private:
  static constexpr std::size_t most(hw::MonitorInput input) {
    return static_cast<std::size_t>(hw::monitor_input_rows[input.row()].most);
  }

  std::array<std::uint8_t, hw::monitor_input_slots> values_{};
};

}  // namespace golden
