// The inputs that control an L1 data cache from outside, each a port of its name: hardware, models and all
// code that carries or drives controls read this table. A new control is a row of it, and its reader.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "hw/l1d/l1d_params.h"

namespace hw {

// output: the cache decides, and shows it; inner: it decides, for itself alone.
enum class ControlRole { none, input, output, inner };

struct ControlRow {
  std::string_view name;
  ControlRole (*role)(const L1dParams&);
  int (*width)(const L1dParams&);        // where there is one
  std::string_view as_input, as_output;  // its description
};

// Of what BUCL's decision reads.
constexpr ControlRole bucl_role(const L1dParams& p) {
  if (p.bypass.kind != BypassKind::bucl) return ControlRole::none;
  return p.bypass.bucl.follow ? ControlRole::input : ControlRole::inner;
}

// Of the signals between a controller and the monitor of an adaptive index.
constexpr ControlRole of_rounds(const L1dParams& p) {
  return has_controller(p) && p.index.kind == IndexKind::adi ? ControlRole::inner : ControlRole::none;
}

inline constexpr std::array control_rows{
    ControlRow{.name = "mode_coarse",
               .role =
                   [](const L1dParams& p) {
                     if (!traits_of(p.tags).has_modes || p.mode.kind != ModeKind::dueling)
                       return ControlRole::none;
                     return p.mode.follow ? ControlRole::input : ControlRole::output;
                   },
               .width = [](const L1dParams&) { return 1; },
               .as_input = "loads look for whole lines",
               .as_output = "loads of sets that follow look for whole lines"},
    ControlRow{.name = "filter_enable",
               .role =
                   [](const L1dParams& p) {
                     return traits_of(p.tags).filters && p.reuse.follow ? ControlRole::input
                                                                        : ControlRole::none;
                   },
               .width = [](const L1dParams&) { return 1; },
               .as_input = "the reuse-count filter is on",
               .as_output = ""},
    ControlRow{.name = "tucd",
               .role = bucl_role,
               .width = [](const L1dParams& p) { return tucd_bits(p.bypass.bucl); },
               .as_input = "loads of more requests bypass",
               .as_output = ""},
    ControlRow{.name = "hit_rate_low",
               .role = bucl_role,
               .width = [](const L1dParams&) { return 1; },
               .as_input = "the hit rate of the period before was below the threshold",
               .as_output = ""},
    ControlRow{.name = "buffer_free",
               .role = bucl_role,
               .width = [](const L1dParams& p) { return p.bypass.bucl.sub_partitions; },
               .as_input = "sub-partitions whose buffer was little used in the period before",
               .as_output = ""},
    ControlRow{
        .name = "limit",
        .role =
            [](const L1dParams& p) { return has_controller(p) ? ControlRole::output : ControlRole::none; },
        .width = [](const L1dParams& p) { return warp_count_bits(iacm_params(p).awl); },
        .as_input = "",
        .as_output = "warps that may issue"},
    ControlRow{.name = "adi_start",
               .role = of_rounds,
               .width = [](const L1dParams&) { return 1; },
               .as_input = "a round of the adaptive index begins",
               .as_output = ""},
    ControlRow{.name = "round_done",
               .role = of_rounds,
               .width = [](const L1dParams&) { return 1; },
               .as_input = "a round of the adaptive index ends, with its flush",
               .as_output = ""},
    ControlRow{.name = "searching",
               .role = [](const L1dParams& p) { return p.snoops ? ControlRole::input : ControlRole::none; },
               .width = [](const L1dParams& p) { return p.mshr_entries; },
               .as_input = "MSHR entries whose lines are searched for: stores and atomics to them wait",
               .as_output = ""},
    ControlRow{
        .name = "shared_sets",
        .role = [](const L1dParams& p) { return p.stale_lines ? ControlRole::input : ControlRole::none; },
        .width = [](const L1dParams&) { return 2; },
        .as_input = "lines of even sets, and of odd ones, that are elsewhere are left over",
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
