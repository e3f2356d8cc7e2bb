// Nets between the parts of an MSHR file.
#pragma once
#include "hw/mshr/mshr_parts.h"

namespace hw {

// When it is known whether the tag-lookup stage moves on.
enum class MatchTiming {
  in_time,
  late,  // the entries of the next request and of the one that stays are kept side by side
};

// From the lookup: the entry with the line of the request in the tag-lookup stage, if `match` is set.
struct MatchNets {
  rtl::Expr bits;  // one-hot
  std::optional<rtl::Expr> number;
  std::optional<rtl::Expr> own;  // it is the entry in the replay stage, where another part asks
  rtl::Expr sets;                // of all entries
};

// From the entries: the state of each, and what follows for the others.
struct EntryNets {
  rtl::Expr in_use, flushed, poisoned;
  std::optional<rtl::Expr> waits;
  rtl::Expr lowest_free, free_firsts;  // one-hot; the lowest of each group of the search
  rtl::Expr woken;
  std::optional<rtl::Expr>
      replay_pending;  // of the entry in the replay stage, where it may be looked at early
};

// From the replay stage: its entry, the next one, and the outcome of the cycle before.
struct ReplayNets {
  std::optional<rtl::Expr> valid;  // where its entry's bits do not say it, or a part needs it beside them
  rtl::Expr bits, next_found;
  std::optional<rtl::Expr> next_number;  // of several entries
  std::optional<rtl::Expr> next_head;    // of several MSHR targets in a ring
  std::optional<rtl::Expr> next_more;    // of several in order
  std::optional<rtl::Expr> last_bits;    // of several entries
  std::optional<rtl::Expr> answered;     // where the entry counts the load for a cycle more
  rtl::Expr freed;
};

// From the MSHR targets.
struct TargetNets {
  rtl::Expr mergeable, last_target;
  std::optional<rtl::Expr> heads;  // of all entries, where they have several in a ring
  std::optional<rtl::Expr> more;   // loads of each besides its first, where they lie in order
};

struct MshrNets {
  MatchNets match;
  EntryNets entries;
  ReplayNets replay;
  TargetNets targets;
};
MshrNets mshr_nets(MshrTop& f);

// The same where each entry knows of each chunk of its line which load is the last that waits for it: it
// counts these loads, or keeps that one.
struct HoldingNets {
  std::optional<rtl::Expr> own_before;  // from the lookup, where loads are counted
  rtl::Expr last_for;                   // from the MSHR targets
};
HoldingNets holding_nets(MshrTop& f, bool counts = true);

// And where it also fetches chunks that nobody waits for, so that a fill may free an entry.
struct FreeingNets {
  rtl::Expr named, fill_joined, spent, ends;  // from the entries
  rtl::Expr fill_waited, unwanted;            // from the MSHR targets
  rtl::Expr answers_last;                     // from the replay stage
};
FreeingNets freeing_nets(MshrTop& f);

}  // namespace hw
