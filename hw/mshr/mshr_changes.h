// Changes of the entries of an MSHR file.
#pragma once
#include "hw/mshr/mshr_replay.h"

namespace hw {

// The entry that the next probe matches.
void change_match(MshrFrame& f, const MshrPorts& ports, const EntryLookup& lookup, const ReplayEntry& entry,
                  const ReplayMeeting& meeting);

// A new entry's line: `place` has registers of where it lies, of all entries, and the new one's values.
void change_lines(MshrFrame& f, const MshrPorts& ports, const MshrState& state, const NewEntry& entry,
                  const NextValues& place);

// `filled`: the entry that a fill comes to; `woken`: entries to look at.
void change_entries(MshrFrame& f, const MshrPorts& ports, const MshrState& state, const EntryLookup& lookup,
                    const MshrReplay& replay, const rtl::Expr& filled, const rtl::Expr& woken);

// `soon`: it is known so soon whether the probe's load joins that the sum can wait for it.
void change_counts(MshrFrame& f, const MshrPorts& ports, const LeftOver& left, const TargetCounts& counts,
                   const EntryMatch& match, bool soon);

// Declares the observed state, but for where lines lie.
void show_entries(MshrFrame& f, const MshrState& state, const ReplayEntry& entry);

}  // namespace hw
