// The inputs of a cache's own monitors from the GPU around it, each a port: hardware, models and all drivers
// read this table. A new input is a row of it, and its reader.
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "hw/l1d/l1d_params.h"

namespace hw {

struct MonitorInputRow {
  std::string_view name;  // behind it the number of the port, from 0, where `numbered`
  bool numbered;
  int most;                        // ports at most
  int (*count)(const L1dParams&);  // 0: nobody reads it
  int (*width)(const L1dParams&);  // at most 8 where `numbered`, else 16
  std::string_view doc;
};

inline constexpr std::array monitor_input_rows{
    MonitorInputRow{
        .name = "kernel_start",
        .numbered = false,
        .most = 1,
        .count = [](const L1dParams& p) { return has_own_thresholds(p.bypass) || has_controller(p) ? 1 : 0; },
        .width = [](const L1dParams&) { return 1; },
        .doc = "the first CTA of a kernel starts"},
    MonitorInputRow{.name = "total",
                    .numbered = false,
                    .most = 1,
                    .count = [](const L1dParams& p) { return has_controller(p) ? 1 : 0; },
                    .width = [](const L1dParams& p) { return warp_count_bits(iacm_params(p).awl); },
                    .doc = "warps of the kernel in the limit's scope; counts with kernel_start"},
    MonitorInputRow{.name = "issued",
                    .numbered = false,
                    .most = 1,
                    .count = [](const L1dParams& p) { return has_controller(p) ? 1 : 0; },
                    .width = [](const L1dParams& p) { return issued_bits(p.iacm.awl); },
                    .doc = "thread instructions issued in this cycle"},
    MonitorInputRow{.name = "occupancy",
                    .numbered = true,
                    .most = 64,
                    .count =
                        [](const L1dParams& p) {
                          return has_own_thresholds(p.bypass) ? p.bypass.bucl.sub_partitions : 0;
                        },
                    .width = [](const L1dParams& p) { return occupancy_bits(p.bypass.bucl); },
                    .doc = "entries in use of the sub-partition's input buffer"},
    MonitorInputRow{.name = "issued",
                    .numbered = true,
                    .most = 128,
                    .count =
                        [](const L1dParams& p) {
                          return has_own_thresholds(p.bypass) && profiles(p.bypass.bucl) ? p.bypass.bucl.sms
                                                                                         : 0;
                        },
                    .width = [](const L1dParams& p) { return issued_bits(p.bypass.bucl); },
                    .doc = "active lanes of the warp instructions that the SM issues"},
};

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

  constexpr std::size_t row() const { return row_; }
  constexpr bool numbered() const { return numbered_; }
  // Among the numbered inputs, or among the others.
  constexpr std::size_t slot() const { return static_cast<std::size_t>(first_ + number_); }

 private:
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

inline std::string monitor_input_name(const MonitorInputRow& row, int number) {
  return std::string(row.name) + (row.numbered ? std::to_string(number) : "");
}

}  // namespace hw
