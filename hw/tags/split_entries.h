// MSHR file of a cache with split tags: each entry names the slot of each chunk of its line, and how many
// loads wait for it, so that the slot is kept for them (TSC paper, section 3).
#pragma once
#include "hw/mshr/mshr_file.h"
#include "hw/tags/tag_params.h"

namespace hw {

class SplitEntries : public MshrFile {
 public:
  SplitEntries(const TagParams& tags, const MshrParams& p, const MshrLines& lines, const std::string& name);

 protected:
  void chunk_ports() override;
  void chunk_registers() override;
  void waits_left_over() override;
  rtl::Expr spent() const override { return spent_q; }
  void match_registers() override;
  rtl::Expr of_match(const rtl::Expr& flags) const override;
  rtl::Expr doomed_match() const override { return matches & of_match(doomed_q); }
  void next_match(const rtl::Expr& after) override;
  void gather_match(const List& list) override;
  void match_chunks(List& list) override;
  void fill_places(const rtl::Expr& named) override;
  void replay_chunks(List& list) override;
  void replay_gathered() override;
  void next_chunks() override;
  void release_chunks() override;
  void place_changes() override;
  void places_shown() override;

 private:
  rtl::Expr slots_of_named();
  void wakes();

  const int slots, slot_width;
  const bool widened;
  rtl::Expr slot_numbers, chunk_valid, load, effective, pending_slots_out, fill_numbers_out, fill_at_out,
      fill_released_out, replay_at_out, replay_released_out;
  rtl::Expr slot_q, waits_q, spent_q, left_waits_q, left_joined_q, last_waits;
  rtl::Expr match_slots, match_waits, next_slots, replay_slots, replay_waits;
  rtl::Expr filled_slots, filled_waits, filled_pending, filled_count, fills_own, fill_joined;
};

}  // namespace hw
