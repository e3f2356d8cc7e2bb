// What a lock step must come by where snoops pass requests that fail: which fail, and the outcome of them.
#pragma once
#include <array>

#include "cosim/l1d/axis_watch.h"

namespace verif {

class L1dPassingWatch final : public AxisWatch {
 public:
  using AxisWatch::AxisWatch;

  void before(const golden::L1dIn& in, const golden::CycleL1d& golden, unsigned filled) override;
  void behind(const golden::CycleL1d& golden) override;
  void reset() override;
  void goals(std::map<std::string, std::int64_t>& seen, unsigned ids) const override;

 private:
  enum Event {
    fails_line,
    fails_mshr,
    fails_merge,
    fails_queue,
    fails_search,
    passed_again,
    found_beside,
    snoop_waits,
    load_fires,
    store_fires,
    atomic_fires,
    non_l1_fires,
    fill_beside,
    searches_change,
    flush_waits,
    sel_moves,
    events
  };

  void passed(const golden::CycleL1d& golden);

  std::array<std::int64_t, events> seen_{};
  bool aside_ = false;                          // one is parked at the beginning of the cycle
  bool was_passed_ = false;                     // the request in the tag-lookup stage, or the one parked
  std::uint64_t searching_ = 0, searched_ = 0;  // now, and in the first cycle of that one
};

}  // namespace verif
