// MSHR file of a cache: the lines on their way from memory and the loads that wait for them (baseline of the
// TSC, ACI and Decoupled-L1D papers). Where a line lies once it has come is known to each tag organisation,
// whose entries are made from the parts of hw/mshr/mshr_parts.h.
//
// Compares the probe's (set, tag) with all entries at once and answers in the same cycle; takes a new MSHR
// target with `allocate` (in a new entry) or `merge`; remembers fills, and offers the MSHR targets whose
// chunks have come one by one as `replay_*`.
#pragma once
#include "hw/ecc/protected_rows.h"

namespace hw {

struct MshrParams {
  int entries = 32;
  int merges = 8;  // loads that wait in an entry, the first included
  int core_id_bits = 8;
  int line_bits = 0;  // of a block address, where waiting loads may need a fetch of their own; else 0
  int warps = 0;      // with a bit each in an entry, where loads of other warps merge behind a store; else 0
  Protection protection = Protection::none;  // of the RAMs
  bool searches = false;                     // entries whose lines are searched for come as an input
  bool ways_named = false;                   // a fill's id names the way of its line
};

// Bits that number the entries, and the waiting loads of an entry.
int entry_bits(const MshrParams& p);
int place_bits(const MshrParams& p);
int target_rows(const MshrParams& p);

// A load may join an entry whose line has come, or of which something is on its way still; `by_chunk`: chunks
// of a line come one by one.
bool joins_late(const MshrParams& p, bool by_chunk);
// Else the loads of one of several entries, if it takes several, lie in rows in their order: all join before
// the first is answered.
bool in_order(const MshrParams& p, bool by_chunk);

// Bits of an entry that say what is on its way, in which row its oldest load lies, and how many loads wait.
struct EntryWaits {
  int pending = 0, head = 0, count = 0;
};
EntryWaits entry_waits(const MshrParams& p, bool by_chunk, int chunks);

// The inputs of the file about the lines.
struct MshrLines {
  int set_bits = 0, tag_bits = 0, chunks = 0;
  bool by_chunk = false;     // chunks of a line come one by one
  bool tag_is_line = false;  // who has the same tag has the same set
  const char* source = "baseline of the TSC, ACI and Decoupled-L1D papers";
};

}  // namespace hw
