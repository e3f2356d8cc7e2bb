// The inputs that control an L1 data cache from outside, each a port of its name: hardware, models and all
// code that carries or drives controls read this table. A new control is a row of its mechanism, and its
// reader.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "hw/l1d/l1d_params.h"

namespace hw {

using ControlRow = ControlOf<L1dParams>;

inline constexpr std::array tag_controls{
    ControlRow{.name = "mode_coarse",
               .role =
                   [](const L1dParams& p) {
                     if (!traits_of(p.tags).has_modes || p.mode.kind != ModeKind::dueling)
                       return ControlRole::none;
                     return p.mode.follow ? ControlRole::input : ControlRole::output;
                   },
               .as_input = "loads look for whole lines",
               .as_output = "loads of sets that follow look for whole lines"},
    ControlRow{.name = "filter_enable",
               .role =
                   [](const L1dParams& p) {
                     return traits_of(p.tags).filters && p.reuse.follow ? ControlRole::input
                                                                        : ControlRole::none;
                   },
               .as_input = "the reuse-count filter is on"},
};
inline constexpr std::array shared_cache_controls{
    ControlRow{.name = "searching",
               .role = [](const L1dParams& p) { return p.snoops ? ControlRole::input : ControlRole::none; },
               .width = [](const L1dParams& p) { return p.mshr_entries; },
               .as_input = "MSHR entries whose lines are searched for: stores and atomics to them wait"},
    ControlRow{
        .name = "shared_sets",
        .role = [](const L1dParams& p) { return p.stale_lines ? ControlRole::input : ControlRole::none; },
        .width = [](const L1dParams&) { return 2; },
        .as_input = "lines of even sets, and of odd ones, that are elsewhere are left over"},
};

inline constexpr auto control_rows =
    joined(tag_controls, policy_controls<L1dParams>, iacm_controls<L1dParams>, shared_cache_controls);

// A control by name, looked up as the program is compiled: a name without a row is an error there.
class Control {
 public:
  consteval Control(const char* name) : row_(0) {  // NOLINT: a name is a control
    while (control_rows.at(row_).name != name) ++row_;
  }
  static constexpr Control of_row(std::size_t row) { return Control(row); }

  constexpr std::size_t row() const { return row_; }
  constexpr std::string_view name() const { return control_rows[row_].name; }
  constexpr ControlRole role(const L1dParams& p) const { return control_rows[row_].role(p); }
  constexpr int width(const L1dParams& p) const { return control_rows[row_].width(p); }

 private:
  constexpr explicit Control(std::size_t row) : row_(row) {}

  std::size_t row_;
};

// All of them, in the order of the rows.
inline constexpr auto all_controls = [] {
  return []<std::size_t... row>(std::index_sequence<row...>) { return std::array{Control::of_row(row)...}; }
  (std::make_index_sequence<control_rows.size()>());
}();

constexpr bool is_control(std::string_view name) {
  for (const ControlRow& row : control_rows)
    if (row.name == name) return true;
  return false;
}

// Some control is an input of the cache.
constexpr bool is_steered(const L1dParams& p) {
  for (const Control c : all_controls)
    if (c.role(p) == ControlRole::input) return true;
  return false;
}

}  // namespace hw
