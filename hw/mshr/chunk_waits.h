// How many loads wait for each chunk of the line of each entry, in a cache that holds chunks for waiting
// loads one by one: a chunk is let go with the last of them (TSC paper, section 3).
#pragma once
#include "hw/mshr/targets_part.h"

namespace hw {

// Of each entry; of the entry that matched, of that in the replay stage, and of that of a fill. The waits of
// the entry that the replay stage looked at in the cycle before come to it if its MSHR target was answered,
// which is known last in a cycle, and are seen there by all that read them.
struct ChunkWaits {
  rtl::Expr waits_q;
  rtl::Expr left_waits_q, left_joined_q;  // without that MSHR target; chunks of a load that joined
  rtl::Expr last;                         // both together
  std::optional<rtl::Expr> matched, replayed, filled;
};
ChunkWaits chunk_waits(TargetsPart& f);

// Add values to gather.
void matched_waits(TargetsPart& f, EntryValues& values, ChunkWaits& waits);
void replayed_waits(TargetsPart& f, EntryValues& values, ChunkWaits& waits);
void filled_waits(TargetsPart& f, EntryValues& values, ChunkWaits& waits);

// What a load that joins and an MSHR target that is answered make of the waits, and what follows for chunks
// that nobody waits for.
void change_waits(TargetsPart& f, const ChunkWaits& waits);

}  // namespace hw
