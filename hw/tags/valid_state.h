// Valid bits of all sets, which a fill sets, too: the array takes over a fill a cycle later, as it does what
// the probe leaves.
#pragma once
#include <optional>
#include <string>

#include "hw/tags/set_state.h"

namespace hw {

// A line that goes, of any set, and its bits in the row.
struct DroppedLine {
  rtl::Expr valid, set, bits;
};

// What happens to them in a cycle.
struct ValidChanges {
  std::string what;  // each bit stands for: "slots"
  rtl::Expr fill, fill_set,
      fill_bits;             // chunks arrive and may be found; in which row, and its bits that they set
  rtl::Expr set, enter_set;  // of the probe, and of the next request
  rtl::Expr cleared;         // bits of the probe's row that the probe clears
  rtl::Expr flush;           // nothing stays valid
  std::optional<rtl::Expr> next_row =
      {};  // what the array holds of the next request's set, if selected elsewhere
  std::optional<DroppedLine> drop = {};
};

struct ValidState : SetState {
  rtl::Expr filled, filled_set, filled_bits;  // the fill of the cycle before; registers
  std::optional<DroppedLine> dropped;         // the line that went then, where lines go; registers
  // What the probe cleared then, a register: the array loses these bits, where it does not take over the row.
  std::optional<rtl::Expr> late_cleared = {};

  // What the array holds of a set once it has taken over the fill.
  rtl::Expr stored(const rtl::Expr& set) const { return stored(set, of(set)); }
  rtl::Expr stored(const rtl::Expr& set, const rtl::Expr& row_of_set) const;
  // The blocks of all of its registers.
  void change(rtl::Module& m, const LateRow& when, const Turnover& turnover, const ValidChanges& now) const;

 private:
  void row_changes(rtl::Module& m, const LateRow& when, const ValidChanges& now) const;
  void array_changes(rtl::Module& m, const LateRow& when, const ValidChanges& now) const;
};

}  // namespace hw
