// The last load that waits for each chunk of the line of each entry, in a cache that holds chunks for waiting
// loads one by one: loads are answered in the order in which they came, so a chunk is let go with that load
// (TSC paper, section 3).
#pragma once
#include <optional>

#include "hw/mshr/targets_part.h"

namespace hw {

// Its slot in the ring of the entry, of the entry in the replay stage: as the RAM had it when the entry
// entered the stage, and of loads that have joined since; none where an entry has one load. Where a fill may
// bring chunks that nobody waits for: chunks of each entry that somebody does wait for, and those let go in
// the cycle before.
struct ChunkLasts {
  std::optional<rtl::Expr> stored, joined_q, joined_slot_q;
  std::optional<rtl::Expr> wanted_q, let_go_q, filled;
};
ChunkLasts chunk_lasts(TargetsPart& f);

// Adds a value to gather.
void filled_wanted(TargetsPart& f, EntryValues& values, ChunkLasts& lasts);

// `new_slot`: of the request's load; `offered`: of the MSHR target on offer.
void change_lasts(TargetsPart& f, const ChunkLasts& lasts, const std::optional<rtl::Expr>& new_slot,
                  const std::optional<rtl::Expr>& offered);

}  // namespace hw
