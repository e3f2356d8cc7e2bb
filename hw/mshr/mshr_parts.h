// Parts of an MSHR file: ports, entries, the lookup of the probe's line, fills, and the slot of a new MSHR
// target. What follows an MSHR target that is answered stands in mshr_replay.h, the changes of the entries in
// mshr_changes.h.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/mshr/free_entry.h"
#include "hw/mshr/mshr_file.h"
#include "hw/mshr/target_counts.h"
#include "hw/rtl/condition.h"
#include "hw/rtl/module.h"

namespace hw {

// The module, its parameters, and the sizes that follow.
struct MshrFrame {
  MshrFrame(const MshrParams& p, const MshrLines& lines, const std::string& name);

  rtl::Expr each(const rtl::Expr& bit) const { return rtl::replicate(entries, bit); }
  TargetCountWidths count_widths() const { return {entries, count_width, place_width}; }

  rtl::Module m;
  const MshrParams p;
  const int entries, merges, chunks;
  const int pending;  // bits of an entry that say what is on its way
  const int set_bits, tag_bits, entry_width, place_width, count_width;
  const bool by_chunk, tag_is_line;
};

// Values of the entry that a one-hot vector names; 0 when none is.
class EntryValues {
 public:
  explicit EntryValues(MshrFrame& f) : f_(f) {}

  // Adds wire `name`; `of_entries` has the value of each entry.
  rtl::Expr add(const std::string& name, const rtl::Expr& of_entries, int width, const std::string& doc);
  bool none() const { return values_.empty(); }
  // Drives all wires.
  void gather(const std::string& doc, const std::string& label, const rtl::Condition& when,
              const rtl::Expr& which) const;

 private:
  struct Value {
    rtl::Expr out, of_entries;
  };
  MshrFrame& f_;
  std::vector<Value> values_;
};

// Registers and what they become in a block of a part: those of where a line lies beside the others.
using NextValues = std::vector<std::pair<rtl::Expr, rtl::Expr>>;

// The request that enters the tag-lookup stage, that in the stage, and where its load waits.
struct MshrProbe {
  rtl::Expr moves;
  std::optional<rtl::Expr> enter_set;  // where the tag is not the line
  rtl::Expr enter_tag, set, tag, allocate, merge;
};
MshrProbe probe_ports(MshrFrame& f);

// The warp of the request, where loads of other warps merge behind a store.
struct ProbeWarp {
  rtl::Expr warp, poison_all;
};
struct MshrFill {
  rtl::Expr valid;
  std::optional<rtl::Expr> entry;  // of several
  std::optional<rtl::Expr> mask;   // of lines that come by chunks
};
struct MshrRequest {
  std::optional<rtl::Expr> missed;  // of lines that come by chunks
  rtl::Expr id, mask;
  std::optional<rtl::Expr> line;
  rtl::Expr poison;
  std::optional<ProbeWarp> warp;
  MshrFill fill;
  rtl::Expr granted, flush;
};
MshrRequest request_ports(MshrFrame& f);

// Answers, in the order of the Verilog; ports of where the line lies stand between them.
struct LookupAnswer {
  rtl::Expr match, poisoned;
  std::optional<rtl::Expr> waits;
  rtl::Expr mergeable;
  std::optional<rtl::Expr> pending;
};
LookupAnswer lookup_ports(MshrFrame& f);

struct EntryAnswer {
  rtl::Expr has_free;
  std::optional<rtl::Expr> entry;  // of several
  rtl::Expr fill_set;
};
EntryAnswer entry_ports(MshrFrame& f);

struct OfferAnswer {
  rtl::Expr fill_installs, ready, set;
};
OfferAnswer offer_ports(MshrFrame& f);

struct LoadLine {
  rtl::Expr line, late;
};
struct LoadAnswer {
  rtl::Expr id, mask;
  std::optional<LoadLine> line;
  RowErrors rows = {};  // of the MSHR target on offer, where the RAMs are protected
};
LoadAnswer load_ports(MshrFrame& f);

struct MshrPorts {
  MshrProbe probe;
  MshrRequest request;
  LookupAnswer lookup;
  EntryAnswer entry;
  OfferAnswer offer;
  LoadAnswer load;
};

// Registers of the entries. Those of where the line lies stand behind its set and tag.
struct EntryLines {
  rtl::Expr in_use_q, set_q, tag_q;
};
EntryLines entry_lines(MshrFrame& f);

struct EntryFlags {
  rtl::Expr pending_q, poisoned_q;
  std::optional<rtl::Expr> stored_q;  // where loads of other warps merge behind a store
  rtl::Expr flushed_q, awake_q;
  TargetCounts counts;
};
EntryFlags entry_flags(MshrFrame& f);

// What the replay stage left to do in the cycle before.
struct NextOfEntry {
  rtl::Expr kept_q, passed_head_q;
};
struct LeftOver {
  rtl::Expr last_own, answered_q, freed_q;
  std::optional<rtl::Expr> spent;     // entries that a fill freed in the cycle before, where one may
  rtl::Expr gone, in_use;             // entries that were freed; that wait for a line
  std::optional<NextOfEntry> behind;  // where an entry has several MSHR targets
};
LeftOver left_over(MshrFrame& f, const EntryLines& lines, const std::optional<rtl::Expr>& spent);

struct MshrState {
  EntryLines lines;
  EntryFlags flags;
  LeftOver left;
};

// The entry that the probe matches. Where it is late that the tag-lookup stage moves on, the entry of the
// next request and that of the one that stays are kept side by side.
struct MatchAhead {
  rtl::Expr entered_q, coming_q, stayed_q;
};
struct EntryMatch {
  // The flag of the entry, of those of all.
  rtl::Expr of(const rtl::Expr& flags) const;

  rtl::Expr bits;
  std::optional<MatchAhead> ahead;
};
EntryMatch match_register(MshrFrame& f);
EntryMatch match_side_by_side(MshrFrame& f);

// The entry that a new line takes.
struct NewEntry {
  rtl::Expr bits, firsts;  // the lowest free one, and that of each group of the search
  rtl::Expr two, has_free_q;
  rtl::Expr created;
};
struct EntryLookup {
  EntryMatch match;
  rtl::Expr match_any_q, match_own_q, coming, matches;
  NewEntry free;
  std::optional<rtl::Expr> warp_bits;
};
EntryLookup look_up(MshrFrame& f, const MshrPorts& ports, const MshrState& state, const EntryMatch& match);

// Values of the entry that matched.
struct TargetRow {
  rtl::Expr head, count;
};
std::optional<rtl::Expr> matched_pending(MshrFrame& f, EntryValues& values, const MshrState& state);
std::optional<TargetRow> matched_targets(MshrFrame& f, EntryValues& values, const MshrState& state);
void gather_matched(const EntryValues& values, const EntryLookup& lookup);

// The entry that a fill comes to, one-hot: by its number, and if a fill comes.
struct FilledEntry {
  rtl::Expr named, filled;
};
FilledEntry fill_entry(MshrFrame& f, const MshrPorts& ports, const MshrState& state);

// Where the probe's load would wait.
struct NewTarget {
  rtl::Expr joins;
  std::optional<rtl::Expr> place;
};
NewTarget new_target(MshrFrame& f, const MshrProbe& probe, const std::optional<TargetRow>& matched);

}  // namespace hw
