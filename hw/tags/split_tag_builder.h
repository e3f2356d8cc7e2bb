// The tag store of split tags under construction.
#pragma once
#include <vector>

#include "hw/rtl/module.h"
#include "hw/tags/tag_params.h"
#include "hw/tags/valid_state.h"

namespace hw {

struct SplitTagStore {
  SplitTagStore(const TagParams& p, int tag_bits, const std::string& name);
  rtl::Module run();

 private:
  void ports();
  void request_ports();
  void change_ports();
  void state();
  void late_state();
  void plan_state();
  void stored_tags();
  void stored_slots(const rtl::Expr& wanted);
  void compare();
  void found_slots();
  void plan();
  void random_start();
  void written_tags();
  void registered();
  void valid_changes();
  void busy_changes();
  void use_changes();
  void shown();
  rtl::Expr spread(const std::string& name, const rtl::Expr& group_set, const std::string& doc);
  rtl::Expr shared_of(const rtl::Expr& tag) const;
  rtl::Expr private_of(const rtl::Expr& tag) const;

  const TagParams p;
  const int slots, groups, per_group, chunks, sets, set_bits, tag_bits, private_bits, shared_bits, place_bits;
  const bool mask_scope, widened, by_chunk, adaptive;
  rtl::Module m;

  // ports
  rtl::Expr read, read_set, enter, enter_set, enter_tag, enter_mask, enter_effective, rehashed, probe_set,
      tag, mask, missed, pending_slots, entry_match, allocate, waits, touch, invalidate, fill, fill_set,
      fill_slots, fill_released, replay_set, replay_released, flush, drop_set, drop_slots;
  rtl::Condition drop;  // slots with wrong data go
  rtl::Expr chunk_valid_out, asked_out, found_out, enough_out, numbers_out, evicted_out;
  // state, and that of the probe's set
  ValidState valid;
  SetState busy, used;
  rtl::Expr lfsr_q, start;
  // what the cycle before left to write into the arrays
  LateRow late;
  rtl::Expr released_q, released_set_q, fill_released_q;
  // what the compare stage found: for each chunk the slots with the line's tag, and groups with its shared
  // one
  rtl::Expr holds_q, asked_q, sought_q, shared_q;
  // the plan of the cycle before
  rtl::Expr places_q, enough_q;
  // beside the RAMs
  rtl::Expr same, bypass_slot_q, bypass_shared_q, last_tag_q;
  std::vector<rtl::Expr> last_place_q;
  // named values
  rtl::Expr shared_now, kept, new_slots, new_tags, retagged, gone;
  rtl::Expr equal_at;               // by chunk
  std::vector<rtl::Expr> new_slot;  // bit planes of the positions
};

}  // namespace hw
