// The inputs of a cache's own monitors from the GPU around it, each a port: hardware, models and all drivers
// read this table. A new input is a row of its mechanism, which says who drives it, and its reader.
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "hw/l1d/l1d_params.h"

namespace hw {

using MonitorInputRow = MonitorInputOf<L1dParams>;

inline constexpr std::array common_inputs{
    MonitorInputRow{.name = "kernel_start",
                    .source = InputSource::kernel_start,
                    .wanted = [](const L1dParams& p) { return has_own_unit(p.bypass) || has_controller(p); },
                    .doc = "the first CTA of a kernel starts"},
};

inline constexpr auto monitor_input_rows =
    joined(common_inputs, iacm_inputs<L1dParams>, policy_inputs<L1dParams>);

// An input by name, looked up as the program is compiled; "issued12" is number 12 of the numbered row
// "issued".
class MonitorInput {
 public:
  consteval MonitorInput(std::string_view port) {  // NOLINT: a name is an input
    std::size_t digits = 0;
    while (digits < port.size() && port[port.size() - 1 - digits] >= '0' &&
           port[port.size() - 1 - digits] <= '9')
      ++digits;
    const std::string_view name = port.substr(0, port.size() - digits);
    numbered_ = digits != 0;
    for (; monitor_input_rows.at(row_).name != name || monitor_input_rows[row_].numbered != numbered_; ++row_)
      if (monitor_input_rows[row_].numbered == numbered_) first_ += monitor_input_rows[row_].most;
    for (const char c : port.substr(name.size())) number_ = 10 * number_ + (c - '0');
  }
  consteval MonitorInput(const char* name) : MonitorInput(std::string_view(name)) {}  // NOLINT: as above
  // Of a numbered row its first.
  static constexpr MonitorInput of_row(std::size_t row) { return MonitorInput(row); }

  constexpr std::size_t row() const { return row_; }
  constexpr bool numbered() const { return numbered_; }
  // Among the numbered inputs, or among the others.
  constexpr std::size_t slot() const { return static_cast<std::size_t>(first_ + number_); }

 private:
  constexpr explicit MonitorInput(std::size_t row) : row_(row), numbered_(monitor_input_rows[row].numbered) {
    for (std::size_t before = 0; before < row; ++before)
      if (monitor_input_rows[before].numbered == numbered_) first_ += monitor_input_rows[before].most;
  }

  std::size_t row_ = 0;
  bool numbered_ = false;
  int first_ = 0, number_ = 0;
};

// Ports of all rows of a kind, at most.
consteval std::size_t monitor_input_slots(bool numbered) {
  std::size_t slots = 0;
  for (const MonitorInputRow& row : monitor_input_rows)
    if (row.numbered == numbered) slots += static_cast<std::size_t>(row.most);
  return slots;
}

// visit(input, row, ports), in order, for each row that the cache reads.
template <class Visit>
constexpr void each_monitor_input(const L1dParams& p, const Visit& visit) {
  for (std::size_t row = 0; row < monitor_input_rows.size(); ++row)
    if (const int ports = monitor_input_rows[row].count(p))
      visit(MonitorInput::of_row(row), monitor_input_rows[row], ports);
}
// The cache's monitors read something of the GPU around it; of that, something of its own SM.
constexpr bool reads_gpu(const L1dParams& p) {
  bool reads = false;
  each_monitor_input(p, [&](const MonitorInput&, const MonitorInputRow&, int) { reads = true; });
  return reads;
}
constexpr bool reads_own_sm(const L1dParams& p) {
  bool reads = false;
  each_monitor_input(p, [&](const MonitorInput&, const MonitorInputRow& row, int) {
    reads |= row.source == InputSource::resident_warps || row.source == InputSource::issued_lanes;
  });
  return reads;
}

inline std::string monitor_input_name(const MonitorInputRow& row, int number) {
  return std::string(row.name) + (row.numbered ? std::to_string(number) : "");
}

}  // namespace hw
