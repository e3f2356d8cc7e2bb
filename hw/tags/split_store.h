// Tag store whose lines lie in slots, in the cache around it: what a load finds, and what it needs to leave
// (TSC paper, section 3; docs/contracts/l1d-split.md).
#pragma once
#include "hw/tags/planned_store.h"
#include "hw/tags/split_mode.h"

namespace hw {

class SplitStore : public PlannedStore {
 public:
  explicit SplitStore(const TagSocket& socket) : PlannedStore(socket), controls_(socket.controls) {}

  void settle(const ProbeStage& probe) override;
  void lookup() override;
  void released_place() override;
  void judge(const ProbeStage& probe, Decision& decision) override;
  Answers answers(const ProbeStage& probe, const Turn& turn) override;
  const rtl::Condition& tags_wrong() const override { return tags_wrong_; }
  const rtl::Condition& tags_wait() const override { return tags_wait_; }
  rtl::Expr held() override { return chunk_valid_; }
  rtl::Expr banks_taken(const ProbeStage& probe) override;
  void add_tags(const ProbeStage& probe) override;
  void add_data(const ProbeStage& probe, const rtl::Expr& read_data) override;
  Events line_events(const ProbeStage& probe) override;
  TagStorage storage(const MshrParams& mshr) const override;
  rtl::Module mshr_file(const MshrParams& p, const std::string& name) const override;
  Pins chunk_pins(const ProbeStage& probe) const override;

 private:
  // What keeps the hit and the replay from being read.
  struct Blocked {
    rtl::Expr hit, replay;
  };
  Blocked blocked(const Fill& fill);

  const ControlSignals controls_;
  Effective effective_;
  // Slots of chunks, as the tag store and the MSHR file name them.
  rtl::Expr chunk_valid_, found_, slot_numbers_, evicted_;
  rtl::Expr pending_slots_, fill_at_, fill_numbers_, fill_slots_, fill_released_, replay_at_,
      replay_released_;
  rtl::Expr hit_slots_, replay_slots_;
  rtl::Condition tags_wrong_, tags_wait_;
};

}  // namespace hw
