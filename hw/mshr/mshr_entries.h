// The entries of an MSHR file: which ones wait for a line, what is on its way to them, the one that a new
// line takes, and what a fill does to its entry. Where the line of an entry lies is added by each tag
// organisation (hw/tags/*_entries.cpp).
#pragma once
#include "hw/mshr/mshr_nets.h"
#include "hw/mshr/mshr_ports.h"

namespace hw {

// The request in the tag-lookup stage.
struct EntriesRequest {
  rtl::Expr allocate;
  std::optional<rtl::Expr> merge, missed;  // of lines that come by chunks
  rtl::Expr poison;
  std::optional<ProbeWarp> warp;
};

// The entry that the request matches; that of the replay stage, in this cycle and before.
struct EntriesMatch {
  rtl::Expr match, bits;
  std::optional<rtl::Expr> number;
  std::optional<rtl::Expr> own;          // where loads may fetch their line once more
  std::optional<rtl::Expr> replay_bits;  // where a load may join late, or fetch its line once more
  std::optional<rtl::Expr> last_bits;
  rtl::Expr freed;
};

struct EntriesAnswer {
  rtl::Expr has_free;
  std::optional<rtl::Expr> entry, match_pending;
  rtl::Expr fill_installs;
  std::optional<rtl::Expr> late;
};

struct EntriesPorts {
  EntriesRequest request;
  MshrFill fill;
  rtl::Expr flush;
  EntriesMatch match;
  EntryNets state;
  EntriesAnswer answer;
};

// The part, with the ports that every file has.
struct EntriesPart : MshrPart {
  EntriesPart(MshrTop& file, const MshrPorts& ports, const MshrNets& nets,
              const rtl::Loc& loc = rtl::Loc::current());

  EntriesPorts ports;
};

// Registers of the entries.
struct EntryFlags {
  rtl::Expr in_use_q;
  std::optional<rtl::Expr> pending_q;  // where somebody looks at what is on its way
  rtl::Expr poisoned_q;
  std::optional<rtl::Expr> stored_q;  // where loads of other warps merge behind a store
  rtl::Expr flushed_q;
};
EntryFlags entry_flags(EntriesPart& f);

// Entries that were freed in the cycle before; `spent`: by a fill, where one may.
rtl::Expr freed_entries(EntriesPart& f, const EntryFlags& flags, const std::optional<rtl::Expr>& spent);

// The entry that a new line takes.
struct NewEntry {
  rtl::Expr two, has_free_q;
  rtl::Expr created;
};
NewEntry find_free(EntriesPart& f, const std::optional<rtl::Expr>& spent);

// Chunks on their way of the entry that matched, where they come one by one: a value to gather.
std::optional<rtl::Expr> matched_pending(EntryValues& values, const EntriesPart& f, const EntryFlags& flags);
// Drives what is on its way to the entry in the replay stage.
void drive_replay_pending(EntriesPart& f, const EntryFlags& flags);

// The entry that a fill comes to, one-hot: by its number, and if a fill comes.
struct FilledEntry {
  rtl::Expr named, filled;
};
FilledEntry fill_entry(EntriesPart& f, const EntryFlags& flags);

// Registers of where the line lies, of all entries, and the values of a new one.
using NewPlace = std::vector<std::pair<rtl::Expr, rtl::Expr>>;
void change_places(EntriesPart& f, const NewPlace& place);

void change_entries(EntriesPart& f, const EntryFlags& flags, const NewEntry& entry, const rtl::Expr& gone,
                    const rtl::Expr& filled);

// Declares the observed state.
void show_entries(EntriesPart& f, const EntryFlags& flags);

}  // namespace hw
