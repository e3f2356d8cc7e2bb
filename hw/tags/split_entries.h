// MSHR file of a cache with split tags: each entry names the slot of each chunk of its line, and how many
// loads wait for it, so that the slot is kept for them (TSC paper, section 3).
#pragma once
#include <optional>

#include "hw/mshr/holding_entries.h"
#include "hw/tags/tag_params.h"

namespace hw {

class SplitEntries : public HoldingEntries {
 public:
  SplitEntries(const TagParams& tags, const MshrParams& p, const MshrLines& lines, const std::string& name);

 protected:
  void chunk_ports() override;
  void chunk_registers() override;
  std::optional<rtl::Expr> spent() const override { return spent_q; }
  void match_chunks(List& list) override;
  void fill_places(const rtl::Expr& named) override;
  void replay_chunks(List& list) override;
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
  rtl::Expr slot_q;
  std::optional<rtl::Expr> spent_q;
  rtl::Expr match_slots, next_slots, replay_slots;
  rtl::Expr filled_slots, filled_waits, filled_pending, filled_count, fills_own, fill_joined;
};

}  // namespace hw
