// What a lock step must come by where stores write into lines: how much of them, what they wait for, and what
// comes right before and right after.
#pragma once
#include <array>

#include "cosim/l1d/axis_watch.h"

namespace verif {

class L1dUpdateWatch final : public AxisWatch {
 public:
  using AxisWatch::AxisWatch;

  void before(const golden::L1dIn& in, const golden::CycleL1d& golden, unsigned filled) override;
  void behind(const golden::CycleL1d& golden) override;
  void goals(std::map<std::string, std::int64_t>& seen, unsigned ids) const override;

 private:
  enum Event {
    all_of_it,
    some_of_it,
    none_of_it,
    waits_for_fill,
    waits_for_replay,
    poisoned_line,
    left_by_flush,
    before_fill,
    beside_fill,
    after_fill,
    flush_waits,
    twice_in_a_row,
    hit_behind_it,
    behind_hit,
    events
  };
  // The request that left in a cycle, if one did.
  struct Left {
    bool any = false, is_store = false, is_hit = false;
    std::uint64_t block = 0;
    std::uint32_t chunks = 0;  // written, or of the load
    unsigned entry = ~0u;      // of its line
  };

  void store(const golden::CycleL1d& golden, const Left& now);
  void in_a_row(const Left& now);

  std::array<std::int64_t, events> seen_{};
  unsigned filled_ = ~0u, filled_before_ = ~0u;  // entry of this cycle's fill, of that of the cycle before
  bool flush_ = false;
  Left last_;
};

}  // namespace verif
