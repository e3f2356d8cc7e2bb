// MSHR file of a cache: the lines on their way from memory and the loads that wait for them (baseline of the
// TSC, ACI and Decoupled-L1D papers). Where a line lies once it has come is known to the derived class.
//
// Compares the probe's (set, tag) with all entries at once and answers in the same cycle; takes a new MSHR
// target with `allocate` (in a new entry) or `merge`; remembers fills, and offers the MSHR targets whose
// chunks have come one by one as `replay_*`.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hw/ecc/protected_rows.h"
#include "hw/mshr/free_entry.h"
#include "hw/mshr/next_entry.h"
#include "hw/mshr/target_counts.h"
#include "hw/rtl/condition.h"
#include "hw/rtl/module.h"

namespace hw {

struct MshrParams {
  int entries = 32;
  int merges = 8;  // loads that wait in an entry, the first included
  int core_id_bits = 8;
  int line_bits = 0;  // of a block address, where waiting loads may need a fetch of their own; else 0
  int warps = 0;      // with a bit each in an entry, where loads of other warps merge behind a store; else 0
  Protection protection = Protection::none;  // of the RAMs
};

// Bits that number the entries, and the waiting loads of an entry.
int entry_bits(const MshrParams& p);
int place_bits(const MshrParams& p);
int target_rows(const MshrParams& p);

// The inputs of the file about the lines.
struct MshrLines {
  int set_bits = 0, tag_bits = 0, chunks = 0;
  bool by_chunk = false;     // chunks of a line come one by one
  bool tag_is_line = false;  // who has the same tag has the same set
  const char* source = "baseline of the TSC, ACI and Decoupled-L1D papers";
};

class MshrFile {
 public:
  MshrFile(const MshrParams& p, const MshrLines& lines, const std::string& name);
  virtual ~MshrFile() = default;
  rtl::Module run();

 protected:
  // A value of the entry that a one-hot vector names; 0 when none is.
  struct Gathered {
    rtl::Expr out, vector;
  };
  using List = std::vector<Gathered>;
  rtl::Expr gathered(List& list, const std::string& name, const rtl::Expr& vector, int width,
                     const std::string& doc);
  void gather(const std::string& doc, const std::string& label, const rtl::Condition& when,
              const rtl::Expr& which, const List& list);
  // A value of the entry that the replay stage looks at next, of those of all entries.
  rtl::Expr of_next(const std::string& stem, const rtl::Expr& of_entries, const std::string& doc);

  // Ways or slots of the lines, in the order of the Verilog. Ports: of the probe's line, of the entry that it
  // matched, of a fill, of the MSHR target on offer, of an entry that is freed, and of chunks.
  virtual void taken_port() {}
  virtual void matched_port() {}
  virtual void filled_ports() {}
  virtual void replayed_port() {}
  virtual void released_port() {}
  virtual void chunk_ports() {}
  virtual void place_registers() {}
  virtual void chunk_registers() {}
  virtual void waits_left_over() {}
  // Entries that a fill freed in the cycle before; unknown where fills free none.
  virtual std::optional<rtl::Expr> spent() const { return {}; }

  // The entry that the probe matches: registers, what they say of it, and what they become.
  virtual void match_registers() = 0;
  virtual rtl::Expr of_match(const rtl::Expr& flags) const = 0;
  virtual rtl::Expr poisoned_match() const = 0;
  virtual void next_match(const rtl::Expr& after) = 0;
  virtual void gather_match(const List& list) = 0;
  virtual void match_place(List&) {}
  virtual void match_chunks(List&) {}
  virtual void assign_match_place() {}
  // Whether it is known so soon that its load joins that the sum can wait for it.
  virtual bool joins_soon() const { return false; }

  virtual void fill_places(const rtl::Expr& named) = 0;
  virtual void replay_registers() {}
  virtual void replayed_place() {}
  virtual void replay_chunks(List&) {}
  virtual void replay_gathered() {}
  virtual void next_place() {}
  virtual void next_chunks() {}
  virtual void take_place() {}
  // Completes `woken`, and `ends` where fills may free entries.
  virtual void release_chunks() {}
  virtual void release_place() {}
  virtual void new_slot() {}
  virtual void set_place(const rtl::Expr& /*entry*/) {}
  virtual void place_changes() {}
  // Declares the observed state of the ways or slots.
  virtual void places_shown() {}

  const MshrParams p;
  const int entries_n, merges, chunks, v, set_bits, tag_bits, entry_width, place_width, count_width;
  const bool by_chunk;
  rtl::Module m;

  // ports
  rtl::Expr moves, enter_set, enter_tag, set_index, tag, allocate, merge, missed, id, mask, poison, fill,
      fill_entry, fill_mask, replay_granted, flush;
  rtl::Expr match_out, poisoned_out, mergeable_out, pending_out, has_free_out, entry_out, fill_set_out,
      fill_installs_out, replay_ready_out, replay_set_out, replay_id_out, replay_mask_out;
  rtl::Expr probe_line, replay_line_out, replay_late_out;
  RowErrors replay_rows;  // of the MSHR target on offer, where the RAMs are protected
  // state of the entries
  rtl::Expr in_use_q, set_q, tag_q, pending_q, poisoned_q, flushed_q, awake_q;
  // where loads of other warps merge behind a store
  rtl::Expr probe_warp, poison_all, waits_out, warp_bits, stored_q;
  TargetCounts counts_of;
  TargetCountWidths count_widths() const { return {entries_n, count_width, place_width}; }
  // the same with what the replay stage left to do in the cycle before
  rtl::Expr last_own, answered_q, freed_q, kept_q, passed_head_q, gone, in_use;
  // state of the replay stage
  rtl::Expr replay_valid_q, replay_set_q;
  // the entry that the probe matches, and the free ones
  rtl::Expr match, matches, match_any_q, match_own_q, coming, entry_pending, entry_head, entry_count;
  rtl::Expr free, free_firsts, lowest, created, has_free_q;
  // the entry that a fill comes to, that of the replay stage, and the next one there
  rtl::Expr filled, own, match_own, added, joins, replay_pending, replay_count, last_target, leaves, takes,
      next_bits, woken, freed;
  rtl::Condition ends = rtl::Condition::always();  // of the entry, where fills may free others

 private:
  void ports();
  void answer_ports();
  void entries();
  void left_over();
  void lookup();
  void waits_behind_store();
  void match_values();
  void fills();
  void new_target();
  void replay();
  void replay_head(rtl::Expr place);
  void next_target();
  void replay_steps();
  void target_ram();
  void line_ram();
  void check_rows();
  void changes();
  void probe_match_changes();
  void store_changes();
  void counts();
  void shown();

  std::vector<EntryField> next_fields;

  const bool tag_is_line;
  rtl::Expr two_free, entry, entry_place;
  RowRead target_row, line_row;
  rtl::Expr target, parked, next_found, some_awake, next_number, next_head, next_set, replay_head_next;
};

}  // namespace hw
