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
  std::optional<DroppedLine> drop = {};
};

struct ValidState : SetState {
  rtl::Expr filled, filled_set, filled_bits;  // the fill of the cycle before; registers
  std::optional<DroppedLine> dropped;         // the line that went then, where lines go; registers

  // What the array holds of a set once it has taken over the fill.
  rtl::Expr stored(const rtl::Expr& set) const;
  // The blocks of all of its registers.
  void change(rtl::Module& m, const LateRow& when, const Turnover& turnover, const ValidChanges& now) const;

 private:
  void array_changes(rtl::Module& m, const LateRow& when, const ValidChanges& now) const;
};

}  // namespace hw
