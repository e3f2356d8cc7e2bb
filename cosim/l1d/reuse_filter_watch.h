// What a lock step of an L1 data cache with the reuse-count filter must come by beyond what any cache does.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "cosim/l1d/axis_watch.h"

namespace verif {

class L1dReuseWatch final : public AxisWatch {
 public:
  using AxisWatch::AxisWatch;

  void before(const golden::L1dIn& in, const golden::CycleL1d& golden, unsigned filled) override;
  void behind(const golden::CycleL1d& golden) override;
  void goals(std::map<std::string, std::int64_t>& seen, unsigned ids) const override;

 private:
  enum Event {
    promoted_into_free,
    promoted_into_taken,
    promotion_refused,
    aged_to_zero,
    zero_evicted,
    line_lost_by_tag,
    saturated,
    bypass_all_wait,
    bypass_waits,
    store_committed,
    store_pending,
    store_without_line,
    switched_on,
    switched_off,
    events
  };

  bool enabled_ = false;
  std::array<std::int64_t, events> seen_{};
};

}  // namespace verif
