// What a lock step of an L1 data cache with the reuse-count filter must come by beyond what any cache does.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "golden/l1d/cycle_l1d.h"

namespace verif {

class L1dReuseWatch {
 public:
  explicit L1dReuseWatch(const hw::L1dParams& params) : params_(params) {}

  void before(const golden::L1dIn& in);
  void behind(const golden::CycleL1d& golden);
  // Adds its events; `ids`: requests in flight at most.
  void must_see(std::map<std::string, std::int64_t>& seen, int ids) const;

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

  const hw::L1dParams params_;
  bool enabled_ = false;
  std::array<std::int64_t, events> seen_{};
};

}  // namespace verif
