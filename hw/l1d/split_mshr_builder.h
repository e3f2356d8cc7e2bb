// The MSHR file of split tags under construction: what its entries, their slots and its replay stage share.
#pragma once
#include "hw/l1d/l1d_params.h"
#include "hw/noc/round_robin.h"
#include "hw/rtl/module.h"

namespace hw {

struct SplitMshr {
  SplitMshr(const L1dParams& p, int tag_bits, const std::string& name);
  rtl::Module run();

 private:
  void ports();
  void entries();
  void left_over();
  void lookup();
  void fills();
  void new_waiter();
  void replay();
  void next_waiter();
  void replay_steps();
  void waiter_ram();
  void changes();
  void counts();
  void slot_ports();
  void slot_fills();
  void slot_replay();
  void slot_wakes();
  void slot_changes(const rtl::Expr& joined);

  // A value of the entry that a one-hot vector names; 0 when none is.
  struct Gathered {
    rtl::Expr out, vector;
  };
  rtl::Expr gathered(std::vector<Gathered>& list, const std::string& name, const rtl::Expr& vector, int width,
                     const std::string& doc);
  void gather(const std::string& doc, const std::string& label, const rtl::Expr& when, const rtl::Expr& which,
              const std::vector<Gathered>& list);

  const L1dParams& p;
  const int entries_n, merges, chunks, set_bits, tag_bits, entry_width, place_width, count_width;
  const bool widened;
  const bool line_tags;  // the tag is the whole block address: who has the same tag has the same set
  rtl::Module m;

  // ports
  rtl::Expr enter, enter_set, enter_tag, set_index, tag, allocate, merge, missed, id, mask, doom, fill,
      fill_entry, fill_mask, replay_granted, flush;
  rtl::Expr match_out, doomed_out, room_out, pending_out, has_free_out, entry_out, fill_set_out,
      fill_lands_out, replay_ready_out, replay_set_out, replay_id_out, replay_mask_out;
  // state of the entries
  rtl::Expr in_use_q, set_q, tag_q, pending_q, doomed_q, flushed_q, wake_q, head_q, count_q;
  // the same with what the replay stage left to do in the cycle before
  rtl::Expr last_own, answered_q, freed_q, slept_q, passed_head_q, gone, in_use, wake, head, count;
  // state of the replay stage
  rtl::Expr replay_valid_q, replay_entry_q, replay_set_q, pointer_q;
  // named values
  rtl::Expr match_q, matched, coming, free, lowest, has_free_q, created, filled, entry, entry_place,
      entry_pending, entry_head, entry_count, joins;
  rtl::Expr waiter, parked, replay_count, last_waiter, leaves, takes, next_found, next_bits, next_entry,
      next_head, next_set, replay_head_next, own, added, freed;
  RoundRobin choice;
  // Split tags: slot of each chunk and how many wait for it; the entries that fills leave empty; entries that
  // are to be looked at.
  rtl::Expr slot_numbers, chunk_valid, effective, pending_slots_out, fill_at_out, fill_released_out,
      replay_at_out, replay_released_out;
  rtl::Expr slot_q, waits_q, spent_q, match_slots, match_waits, filled_slots, filled_waits, filled_pending,
      filled_count, replay_slots, replay_waits, replay_pending, fills_own, fill_joined, ends, woken;
};

}  // namespace hw
