// Split tags of the L1 data cache, cycle by cycle (TSC and TSC+, section 3 of the paper): chunks of any line
// in the slots of a set. From docs/l1d-split.md.
#pragma once
#include "golden/l1d/cycle_l1d.h"
#include "golden/mode/mode_selector.h"
#include "golden/tags/split_set.h"

namespace golden {

class CycleSplit final : public CycleL1d {
 public:
  CycleSplit(const hw::L1dParams& params, bool with_data);

  std::vector<std::uint64_t> resident_lines() const override;
  std::span<const ModeChange> mode_history() const override { return mode_history_; }

  struct SlotState {
    std::uint64_t shared, low;  // tag: of its group, and its own; count when valid or busy
    unsigned position;          // likewise
    bool valid, busy, nru;
  };
  SlotState slot(unsigned set, unsigned s) const;
  void publish(StateList& list) const override;
  const SplitBits& bits(unsigned set) const { return bits_[set]; }
  const SplitRules& rules() const { return rules_; }
  // Of a chunk that is pending or waited for.
  unsigned slot_of(unsigned e, unsigned chunk) const { return slots_[e * chunks_ + chunk]; }
  unsigned waits(unsigned e, unsigned chunk) const { return waits_[e * chunks_ + chunk]; }
  const ModeSelector& selector() const { return selector_; }
  // Of a busy slot.
  unsigned owner(unsigned set, unsigned s) const { return owner_[set * rules_.slots + s]; }
  // The places that the last probe took; null when it took none.
  const SplitPlaces* last_places() const { return placed_ ? &plan_ : nullptr; }
  // Those that were chosen in the cycle that the last edge ended, from which state, and how many were wanted;
  // null without a load that has to wait for them.
  const SplitPlaces* plan() const { return planned_ ? &plan_ : nullptr; }
  const SplitBits& plan_bits() const { return plan_bits_; }
  unsigned plan_wanted() const { return plan_wanted_; }

 private:
  void reset_tags() override;
  void match(const Held& request) override;
  void decide_load(const Held& request) override;
  Stall reserve(const Held& request) override;
  bool hit_blocked(const L1dIn& in, const Held& request) const override;
  bool replay_blocked(const L1dIn& in) const override;
  void read_hit(const Held& request, LineData& line) const override;
  void read_replay(LineData& line) const override;
  void begin_edge(const L1dIn& in) override;
  void waiter_answered() override;
  void take_fill(const L1dIn& in, std::uint32_t filled) override;
  void take_store(const Held& request) override;
  void take_load(const Held& request) override;
  void free_entries() override;
  void drop_all() override;
  void end_cycle(const L1dIn& in) override;
  unsigned most_in_a_cycle(std::uint64_t L1dCounters::*counter) const override;
  void publish_chunks(StateList& list) const;

  std::uint64_t shared_tag(std::uint64_t block) const;
  std::uint64_t slots_in(std::uint32_t set, std::uint64_t slots, std::uint32_t positions) const;
  std::uint64_t slots_of_fill(const L1dIn& in) const;
  std::uint64_t slots_of_entry(unsigned e, std::uint32_t chunks) const;
  void allocate(const Held& request);
  void wait_for(const Held& request);
  void release(unsigned e);
  bool coarse_for(std::uint32_t set, const L1dIn& in) const;

  const SplitRules rules_;
  const unsigned chunk_words_;
  std::vector<SplitBits> bits_;        // by set
  std::vector<std::uint64_t> shared_;  // by set and group
  // By set and slot. Owner: the entry of a busy one.
  std::vector<std::uint64_t> blocks_;
  std::vector<std::uint8_t> positions_, owner_;
  std::vector<std::uint64_t> data_;
  // By entry and chunk.
  std::vector<std::uint8_t> slots_, waits_;
  std::vector<std::uint32_t> held_;  // by entry: chunks whose slots are busy

  // The request in the probe stage.
  std::uint64_t matching_ = 0;                                       // slots that hold chunks of its line
  std::uint32_t positions_there_ = 0, effective_ = 0, pending_ = 0;  // chunks; pending: of the effective ones
  bool coarse_ = false, planned_ = false, placed_ = false;
  SplitPlaces plan_;
  SplitBits plan_bits_;
  unsigned plan_wanted_ = 0;

  ModeSelector selector_;
  ModeSelector::In shown_;  // to the selector in this cycle
  std::vector<ModeChange> mode_history_;
};

}  // namespace golden
