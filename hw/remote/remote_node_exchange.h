// What the parts of a core among cores that search each other's L1s exchange.
#pragma once
#include <optional>

#include "hw/noc/packet.h"
#include "hw/remote/remote_node_ports.h"
#include "hw/rtl/condition.h"

namespace hw {

// A snoop for the L1, and what the L1 answers.
struct Snoop {
  rtl::Expr valid, ready, line;
};
struct SnoopAnswer {
  rtl::Expr valid, found, data;
};

// Where a core is to see what it stored itself: that a store entered in the cycle before, its line, and
// whether the written filter is ready.
struct WriteGuard {
  rtl::Expr marks, line, filter_ready;
};

// Requests on their way into the L1.
struct CacheEntry {
  rtl::Expr none_open;  // the core has none without an answer
  Snoop snoop;
  std::optional<WriteGuard> guard;
};

// Wires of all entries that the probe table drives.
struct SearchStatus {
  rtl::Expr searching, late;
};

// A probe that waits to be sent.
struct WaitingProbe {
  rtl::Expr valid, destination;
  ProbeFields fields;
  rtl::Expr ready;
};
struct ProbesHere {
  rtl::Expr returns, idle;  // a probe of this core is back; none of another is here
  WaitingProbe forwarded;
  std::optional<WaitingProbe> deflected;
};

// The request of the L1 in front; `takes`: it is a miss that is taken, a wire.
struct FrontMiss {
  Channel request;
  rtl::Expr fetch, entry, line, takes;
};

// Whether the miss in front may be searched for is known, and that it may not; no mark hinders a flush.
struct GuardAnswer {
  rtl::Expr known, plain;
  rtl::Condition clean = rtl::Condition::always();
};

// What the probe table says of a reply, as wires. `slot`: of the predictor, where it has several.
struct TableAnswer {
  rtl::Expr fills, tracked;
  std::optional<rtl::Expr> slot;
};
// The reply in front.
struct ReplyLookup {
  TableAnswer table;
  rtl::Expr of_search, looks_up, goes_in;
  std::optional<rtl::Expr> looked_q;  // with stages of the table
  rtl::Expr core_fills, rewards;      // a core has sent a line in time; the predictor observes it
  std::optional<rtl::Expr> rewarded_slot;
};

struct SharingGuess {
  rtl::Expr shared, tracked;
  std::optional<rtl::Expr> slot;
};

// A miss that goes to its slice at once; `goes`: a wire.
struct DirectLoad {
  rtl::Expr waits, entry, line, goes;
};

// A search that asks L2; `take`: a wire.
struct L2Ask {
  rtl::Expr valid, late, entry, sequence, take;
};
// A probe of this core that waits to be sent.
struct OwnProbe {
  rtl::Expr valid, ready, leader, entry, sequence, targets, line;
};
struct Searches {
  rtl::Expr idle, lines;  // no search goes on; line of each
  L2Ask ask;
  OwnProbe probe;
};

}  // namespace hw
