// What steers an L1 data cache from outside, each control a port of its name: hardware, models and whoever
// carries or drives controls read this table. A new control is a row of it, and who reads it.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "hw/l1d/l1d_params.h"

namespace hw {

enum class ControlRole { none, input, output };  // output: the cache decides, and shows it

struct ControlRow {
  std::string_view name;
  ControlRole (*role)(const L1dParams&);
  int (*width)(const L1dParams&);        // where there is a port
  std::string_view as_input, as_output;  // its description
};

inline constexpr std::array control_rows{
    ControlRow{.name = "mode_coarse",
               .role =
                   [](const L1dParams& p) {
                     if (p.tags != TagKind::split || p.mode.kind != ModeKind::dueling)
                       return ControlRole::none;
                     return p.mode.follow ? ControlRole::input : ControlRole::output;
                   },
               .width = [](const L1dParams&) { return 1; },
               .as_input = "loads look for whole lines",
               .as_output = "loads of sets that follow look for whole lines"},
    ControlRow{.name = "filter_enable",
               .role =
                   [](const L1dParams& p) {
                     return p.tags == TagKind::reuse_filter && p.reuse.follow ? ControlRole::input
                                                                              : ControlRole::none;
                   },
               .width = [](const L1dParams&) { return 1; },
               .as_input = "the reuse-count filter is on",
               .as_output = ""},
};

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
