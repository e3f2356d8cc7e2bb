// The MSHR file under construction: what its entries and its replay stage share.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "hw/l1d/l1d_params.h"
#include "hw/rtl/module.h"

namespace hw {

struct MshrBuilder {
  MshrBuilder(const L1dParams& p, int tag_bits, const std::string& name);
  rtl::Module run();

 private:
  void ports();
  void entries();
  void left_over();
  void lookup();
  rtl::Expr lowest_free();
  void fills();
  void new_waiter();
  void replay();
  void next_waiter();
  void next_one_hot();
  void next_values(const rtl::Expr& after_first);
  void replay_steps();
  void waiter_ram();
  void changes();
  void counts();
  void shown();
  // with split tags only (mshr_slots.cpp)
  void slot_ports();
  void slot_state();
  void slot_left_over();
  rtl::Expr slots_of_named();
  void slot_fills(const rtl::Expr& named);
  void slot_replay();
  void slot_wakes();
  void slot_changes();
  void slots_shown();

  // A value of the entry that a one-hot vector names; 0 when none is.
  struct Gathered {
    rtl::Expr out, vector;
  };
  rtl::Expr gathered(std::vector<Gathered>& list, const std::string& name, const rtl::Expr& vector, int width,
                     const std::string& doc);
  void gather(const std::string& doc, const std::string& label, const rtl::Expr& when, const rtl::Expr& which,
              const std::vector<Gathered>& list);

  // Entries in groups; the last one may have places without an entry.
  rtl::Expr below_in_group(const std::string& name, const rtl::Expr& bits, const std::string& doc);
  rtl::Expr lowest_in_groups(const std::string& name, const rtl::Expr& firsts, const rtl::Expr& bits,
                             const std::string& doc);
  rtl::Expr of_first(const std::string& name, int width, const std::string& doc,
                     const std::function<rtl::Expr(const rtl::Expr&)>& value);
  rtl::Expr of_served(const std::string& name, const rtl::Expr& of_groups, const std::string& doc);

  const L1dParams& p;
  const TagParams tags;
  const bool split;
  const int entries_n, merges, v, chunks, ways, set_bits, tag_bits, way_bits, entry_width, place_width,
      count_width, group, groups;
  const bool sectored, widened;
  const bool line_tags;  // the tag is the whole block address: who has the same tag has the same set
  rtl::Module m;

  // ports
  rtl::Expr moves, enter_set, enter_tag, set_index, tag, allocate, merge, way, missed, id, mask, doom, fill,
      fill_entry, fill_mask, replay_granted, flush;
  rtl::Expr match_out, doomed_out, room_out, pending_out, way_out, has_free_out, entry_out, fill_set_out,
      fill_way_out, fill_early_out, fill_lands_out, replay_ready_out, replay_set_out, replay_way_out,
      replay_id_out, replay_mask_out, vacate_out;
  // state of the entries
  rtl::Expr in_use_q, set_q, tag_q, way_q, way_bits_q, pending_q, doomed_q, flushed_q, awake_q, head_q,
      count_q;
  // the same with what the replay stage left to do in the cycle before
  rtl::Expr last_own, answered_q, freed_q, kept_q, passed_head_q, gone, in_use, head, count;
  // state of the replay stage
  rtl::Expr replay_valid_q, replay_set_q, replay_way_q, groups_behind_q, pointer_group_q, places_behind_q;
  // named values
  rtl::Expr entered_q, coming_q, stayed_q, match, free_firsts, crowded, two_free, match_any_q, match_own_q,
      matches, coming, free, lowest, has_free_q, created, filled, entry, entry_place, entry_pending,
      entry_way, entry_head, entry_count, joins;
  rtl::Expr waiter, parked, replay_count, last_waiter, leaves, takes, next_found, next_bits, next_entry,
      next_head, next_set, next_way, replay_head_next, own, match_own, added, freed;
  rtl::Expr asking, first, served, groups_after;
  // Split tags: slot of each chunk and how many wait for it; the entries that fills leave empty; entries that
  // are to be looked at.
  rtl::Expr slot_numbers, chunk_valid, load, effective, pending_slots_out, fill_numbers_out, fill_at_out,
      fill_released_out, replay_at_out, replay_released_out;
  rtl::Expr left_waits_q, left_joined_q, last_waits, next_slots;
  rtl::Expr slot_q, waits_q, spent_q, match_slots, match_waits, filled_slots, filled_waits, filled_pending,
      filled_count, replay_slots, replay_waits, replay_pending, fills_own, fill_joined, ends, woken;
};

}  // namespace hw
