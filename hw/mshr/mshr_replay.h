// The replay stage of an MSHR file, which looks at one waiting load at a time: the MSHR target on offer, the
// next entry to look at, and the RAMs of the waiting loads.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hw/mshr/mshr_parts.h"
#include "hw/mshr/next_entry.h"

namespace hw {

struct ReplayStage {
  rtl::Expr valid_q, set_q;
};
ReplayStage replay_stage(MshrFrame& f);

// What is stored of the waiting load; `target`: id and mask.
struct StoredLoad {
  rtl::Expr target;
  RowRead row;
  std::optional<RowRead> line = {};
  rtl::Condition wrong = {};  // it cannot be corrected
};
StoredLoad stored_load(MshrFrame& f, const ReplayStage& stage, const MshrPorts& ports);

// The entry in the stage, one-hot, and its values.
struct ReplayEntry {
  rtl::Expr own, pending, count;
  std::optional<rtl::Expr> oldest = {};
};
ReplayEntry replay_entry(MshrFrame& f, const ReplayStage& stage, const MshrState& state, EntryValues& values);
void gather_replay(const EntryValues& values, const ReplayStage& stage, const ReplayEntry& entry);

// Whether the MSHR target is on offer, and the next state of the stage.
struct ReplayOutcome {
  std::optional<rtl::Expr> head_next;  // slot of the next MSHR target, where there may be one
  rtl::Expr last_target, leaves, takes;
};
ReplayOutcome replay_outcome(MshrFrame& f, const ReplayStage& stage, const StoredLoad& load,
                             const ReplayEntry& entry, const MshrState& state, const MshrPorts& ports);

// The MSHR target on offer.
struct ReplayOffer {
  ReplayStage stage;
  StoredLoad load;
  ReplayEntry entry;
  ReplayOutcome outcome;
};

// Values of the entry that the stage looks at next: wires, which the search drives.
struct NextFields {
  std::vector<EntryField> fields;
  rtl::Expr set;
  std::optional<rtl::Expr> head = {};  // slot of its oldest MSHR target, where there may be several
};
NextFields next_fields(MshrFrame& f, const MshrState& state);
// Adds one, of those of all entries.
rtl::Expr of_next(MshrFrame& f, NextFields& fields, const std::string& name, const rtl::Expr& of_entries,
                  const std::string& doc);
void add_head(MshrFrame& f, NextFields& fields, const MshrState& state);

struct MshrReplay : ReplayOffer {
  NextFields fields;
  NextEntry next;
};
MshrReplay find_next(MshrFrame& f, const ReplayOffer& offer, const NextFields& fields,
                     const MshrState& state);

void target_ram(MshrFrame& f, const MshrReplay& replay, const NewTarget& joined, const MshrPorts& ports);

// The next entry comes into the stage, with where its line lies. Of the probe's load: its line is that of
// the entry in the stage; it joins that entry.
struct ReplayMeeting {
  rtl::Expr match_own, added;
};
ReplayMeeting step_replay(MshrFrame& f, const MshrReplay& replay, const EntryLookup& lookup,
                          const MshrPorts& ports, const NextValues& place);

// Nobody waits in the entry any more; `ends`: nothing is on its way to it.
rtl::Expr freed_entry(MshrFrame& f, const MshrReplay& replay, const ReplayMeeting& meeting,
                      const MshrPorts& ports, const rtl::Condition& ends);
void keep_result(MshrFrame& f, const MshrReplay& replay, const LeftOver& left, const rtl::Expr& freed,
                 const MshrPorts& ports);

// Loads that read wrong data fetch their line once more.
void line_ram(MshrFrame& f, const MshrReplay& replay, const ReplayMeeting& meeting, const MshrState& state,
              const MshrPorts& ports);

}  // namespace hw
