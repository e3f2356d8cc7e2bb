// Parts of the MSHR file of a cache that holds chunks for waiting loads one by one: each entry counts the
// loads that wait for each chunk of its line, so that a chunk is let go with the last of them (TSC paper,
// section 3).
#pragma once
#include "hw/mshr/mshr_replay.h"

namespace hw {

// Loads that wait for each chunk of the line of each entry.
rtl::Expr waits_register(MshrFrame& f);

// The waits of the entry that the replay stage looked at in the cycle before, without the MSHR target that
// was on offer and with one that joined: it comes to the entry if that MSHR target was answered, which is
// known last in a cycle, and is seen there by all that read it.
struct LeftWaits {
  rtl::Expr waits_q, joined_q;  // without that MSHR target; chunks of a load that joined
  rtl::Expr now;
};
LeftWaits waits_left_over(MshrFrame& f);

// Of the entry that matched.
rtl::Expr matched_waits(MshrFrame& f, EntryValues& values, const rtl::Expr& waits_q);
struct MatchedChunks {
  rtl::Expr pending, waits;
};
MatchedChunks chunks_of_match(MshrFrame& f, const MshrPorts& ports, const LeftOver& left,
                              const LeftWaits& left_waits, const EntryLookup& lookup,
                              const rtl::Expr& pending, const rtl::Expr& waits);

// Of the entry of the MSHR target on offer.
rtl::Expr replayed_waits(MshrFrame& f, EntryValues& values, const rtl::Expr& waits_q);
rtl::Expr waits_of_replay(MshrFrame& f, const LeftOver& left, const LeftWaits& left_waits,
                          const rtl::Expr& waits);

// Adds a wire: chunks that nobody waits for after the MSHR target on offer, if it waits for them.
rtl::Expr last_for(MshrFrame& f, const rtl::Expr& replay_waits);

// What a load that joins and an MSHR target that is answered make of the waits: wires, their value for a
// chunk in a loop, and what follows.
struct WaitChanges {
  rtl::Expr more, fewer;
};
WaitChanges wait_changes(MshrFrame& f);
void change_waits(MshrFrame& f, const WaitChanges& changes, const MshrPorts& ports,
                  const rtl::Expr& match_waits, const rtl::Expr& replay_waits, const rtl::Expr& chunk);
void keep_waits(MshrFrame& f, const WaitChanges& changes, const MshrPorts& ports, const LeftOver& left,
                const LeftWaits& left_waits, const rtl::Expr& waits_q, const EntryLookup& lookup,
                const rtl::Expr& added);

// Declares the waits as observed state.
void show_waits(MshrFrame& f, const LeftOver& left, const LeftWaits& left_waits, const rtl::Expr& waits_q);

}  // namespace hw
