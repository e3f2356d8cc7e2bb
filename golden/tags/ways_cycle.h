// Conventional and sectored tags of the L1 data cache, cycle by cycle: lines in ways.
#pragma once
#include "golden/l1d/cycle_l1d.h"

namespace golden {

class CycleWays : public CycleL1d {
 public:
  CycleWays(const hw::L1dParams& params, bool with_data);

  WayState way(unsigned set, unsigned w) const override;
  std::vector<std::uint64_t> resident_lines() const override;
  void publish(StateList& list) const override;

 protected:
  void reset_tags() override;
  void match(const Held& request) override;
  void decide_load(const Held& request) override;
  Stall reserve(const Held& request) override;
  bool hit_blocked(const L1dIn& in, const Held& request) const override;
  bool replay_blocked(const L1dIn& in) const override;
  void read_hit(const Held& request, LineData& line) const override;
  void read_replay(LineData& line) const override;
  void take_fill(const L1dIn& in, std::uint32_t filled) override;
  void take_store(const Held& request) override;
  void take_load(const Held& request) override;
  void free_entries() override;
  void drop_all() override;

  // Without the tags.
  void publish_ways(StateList& list) const;
  void touch(unsigned set, unsigned way);
  unsigned line_of(unsigned set, unsigned way) const { return set * ways_ + way; }

  const unsigned ways_;
  // Ways, set by set. Lines are kept by block address; the tag is a part of it.
  std::vector<std::uint64_t> blocks_;
  std::vector<std::uint32_t> valid_;
  std::vector<std::uint8_t> age_, owner_;  // owner: the entry of a busy way
  std::vector<std::uint32_t> busy_;        // a set each, one bit a way

 private:
  unsigned victim(unsigned set, std::uint32_t eligible);
  void allocate(const Held& request);
  bool filled(const L1dIn& in, unsigned way, std::uint32_t mask) const;

  const std::uint32_t all_ways_;
  bool evicts_ = false,
       draws_ = false;              // the miss being decided: replaces a valid line; chose it by the LFSR
  std::vector<std::uint32_t> nru_;  // a set each, one bit a way
  std::vector<std::uint64_t> data_;
};

}  // namespace golden
