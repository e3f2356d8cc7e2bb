// Valid bits of all sets, which a fill sets, too: the array takes over a fill a cycle later, as it does what
// the probe leaves.
#pragma once
#include <string>

#include "hw/rtl/condition.h"
#include "hw/tags/set_state.h"

namespace hw {

// What happens to them in a cycle.
struct ValidChanges {
  std::string what;  // each bit stands for: "slots"
  rtl::Expr fill, fill_set,
      fill_bits;             // chunks arrive and may be found; in which row, and its bits that they set
  rtl::Expr set, enter_set;  // of the probe, and of the next request
  rtl::Expr cleared;         // bits of the probe's row that the probe clears
  rtl::Expr flush;           // nothing stays valid
  rtl::Condition drop = {};  // a line goes, of any set
  rtl::Expr drop_set = {}, drop_bits = {};  // of that line
};

struct ValidState : SetState {
  rtl::Expr filled, filled_set, filled_bits;  // the fill of the cycle before; registers
  rtl::Condition dropped;                     // a line went then; a register where lines go
  rtl::Expr dropped_set, dropped_bits;        // of that line; registers

  // What the array holds of a set once it has taken over the fill.
  rtl::Expr stored(const rtl::Expr& set) const;
  // The blocks of all of its registers.
  void change(rtl::Module& m, const LateRow& when, const Turnover& turnover, const ValidChanges& now) const;

 private:
  void array_changes(rtl::Module& m, const LateRow& when, const ValidChanges& now) const;
};

}  // namespace hw
