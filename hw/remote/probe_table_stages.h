// The probe table with stages: entries that are found in the table, and messages that come, are kept for a
// cycle, so that no path leads through two of its selections.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/remote/probe_table_entries.h"
#include "hw/remote/probe_table_exchange.h"

namespace hw {

// Registers that take a value in each cycle: bits with a reset, and data.
class KeptForACycle {
 public:
  void bits(const rtl::Expr& q, const rtl::Expr& now) { bits_.emplace_back(q, now); }
  void data(const rtl::Expr& q, const rtl::Expr& now) { data_.emplace_back(q, now); }
  // Behind everything that is kept.
  void clocked(rtl::Module& m) const;

 private:
  std::vector<std::pair<rtl::Expr, rtl::Expr>> bits_, data_;
};

// The sequence of a search that begins is written a cycle later: nothing is of it in its first cycle.
class LateSequence {
 public:
  LateSequence(rtl::Module& m, int entries, int bits);

  // Entries whose search began in the cycle before, and the sequence that is written for them.
  const rtl::Expr& fresh() const { return fresh_q_; }
  const rtl::Expr& next() const { return next_; }

  // `before`: the sequence of the search before the one that begins.
  void follow(KeptForACycle& kept, const rtl::Expr& begun_bits, const rtl::Expr& before) const;

 private:
  const rtl::Expr fresh_q_, before_q_;
  const std::optional<rtl::Expr> carry_q_;
  const rtl::Expr next_;
};

struct TableStages {
  LateSequence sequence;
  KeptForACycle kept = {};
};

// What all parts of the table take. `stages`: null without.
struct TableParts {
  rtl::Module& m;
  const ProbeTableParams& p;
  ProbeEntries& entries;
  TableStages* stages;
};

// The same line, and the same probe that is back, in the next cycle.
LineHere kept_line(const TableParts& t, const LineHere& now);
ProbeBack kept_back(const TableParts& t, const ProbeBack& now);

// A chosen search remains chosen until it takes a list or waits no longer.
struct ChosenSearch {
  rtl::Expr chosen_q, entry_q, waits;
  FoundEntry found;
};
ChosenSearch chosen_search(const TableParts& t, const SearchQueue& queue);
void choose_next(const TableParts& t, const SearchQueue& queue, const ChosenSearch& chosen,
                 const rtl::Expr& takes, const rtl::Expr& waits_no_longer);

// The entry that asks L2, and whether its search has taken too long. It is found again in each cycle, so that
// a search that takes too long soon goes first.
struct AskingEntry {
  FoundEntry found;
  rtl::Expr late;
};
AskingEntry kept_asking(const TableParts& t, const AskingEntry& now);

// An entry is found in one cycle, its candidates are read in the next, and searched from then on.
struct LeadingEntry {
  rtl::Expr leads_q, entry_q, read_q, goes_on;
  FoundEntry found;
};
LeadingEntry kept_leading(const TableParts& t);
// Returns the candidates that were read.
rtl::Expr read_candidates(const TableParts& t, const LeadingEntry& leading, const FoundEntry& now,
                          const rtl::Expr& sent, const rtl::Expr& cores);

}  // namespace hw
