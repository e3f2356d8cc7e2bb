// Events of BUCL's bypass that random traffic must reach.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "golden/l1d/cycle_l1d.h"

namespace verif {

class L1dBuclWatch {
 public:
  // Behind an edge.
  void behind(const golden::CycleL1d& golden);
  void reset() { held_ = waits_ = false; }

  void goals(std::map<std::string, std::int64_t>& seen) const;

 private:
  enum Event {
    passed,
    passed_late,
    queue_full,
    rises_past,
    falls_below,
    bypassed_line,
    bypassed_mshr,
    bypassed_merge,
    bypassed_doomed,
    waits_line,
    waits_mshr,
    waits_merge,
    waits_doomed,
    ends_by_fill,
    events
  };

  std::array<std::int64_t, events> seen_{};
  bool held_ = false;   // the load's first request was not looked up
  bool waits_ = false;  // the load in the tag-lookup stage found nothing to reserve in the cycle before
};

}  // namespace verif
