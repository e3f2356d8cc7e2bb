// The inputs of a cache's own monitors from the GPU around it in a cycle, as one value.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "hw/l1d/monitor_inputs_params.h"

namespace golden {

class MonitorInputs {
 public:
  // Of one that is not numbered.
  constexpr std::uint16_t& operator[](hw::MonitorInput input) { return singles_[input.slot()]; }
  constexpr std::uint16_t operator[](hw::MonitorInput input) const {
    return input.numbered() ? numbered_[input.slot()] : singles_[input.slot()];
  }
  // All of a numbered row, the first `input`.
  constexpr std::span<std::uint8_t> from(hw::MonitorInput input) {
    return std::span(numbered_).subspan(input.slot(), most(input));
  }
  constexpr std::span<const std::uint8_t> from(hw::MonitorInput input) const {
    return std::span(numbered_).subspan(input.slot(), most(input));
  }

 private:
  static constexpr std::size_t most(hw::MonitorInput input) {
    return static_cast<std::size_t>(hw::monitor_input_rows[input.row()].most);
  }

  std::array<std::uint8_t, hw::monitor_input_slots(true)> numbered_{};
  std::array<std::uint16_t, hw::monitor_input_slots(false)> singles_{};
};

}  // namespace golden
