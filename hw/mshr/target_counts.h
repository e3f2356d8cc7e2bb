// How many loads wait in each entry of the MSHR file, and where in the entry's rows the oldest of them is.
#pragma once
#include <optional>
#include <string>

#include "hw/rtl/module.h"

namespace hw {

// Widths of an entry's count and of a row's number; no row has a number where an entry has one.
struct TargetCountWidths {
  int entries = 0, count_bits = 0, row_bits = 0;
};

// Of each entry; `*_now`: without the load that was answered in the cycle before.
struct TargetRows {
  rtl::Expr head, head_now;
};
struct TargetCounts {
  rtl::Expr count;
  std::optional<TargetRows> rows = {};      // where rows have numbers
  std::optional<rtl::Expr> count_now = {};  // where a reader needs it
};

// What changes them.
struct TargetChanges {
  rtl::Expr in_use;                      // entries that wait for a line
  std::optional<rtl::Expr> joined = {};  // the entry that one more load waits in, one-hot or 0, if one may
  rtl::Expr answered;                    // a load was answered in the cycle before
  rtl::Expr last;                        // its entry, one-hot
  std::optional<rtl::Expr> behind = {};  // the row behind that load, where rows have numbers
};

// Declares the counts as wires of `m`; `heads`: the rows of the oldest loads, where rows have numbers.
TargetCounts target_counts(rtl::Module& m, const TargetCountWidths& w, const std::optional<rtl::Expr>& heads);
// And `count_now`.
rtl::Expr target_count_now(rtl::Module& m, const TargetCountWidths& w);

// Drives them by an instance of module `name`. `early`: it is known early in the cycle whether a load joins,
// so that the sum can wait for it. `may_join`: entries take more than one load.
void drive_target_counts(rtl::Module& m, const std::string& name, const TargetCountWidths& w,
                         const TargetCounts& counts, const TargetChanges& changes, bool early);

}  // namespace hw
