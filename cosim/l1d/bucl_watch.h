// Events of BUCL's bypass that random traffic must reach.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "cosim/l1d/axis_watch.h"

namespace verif {

class L1dBuclWatch final : public AxisWatch {
 public:
  using AxisWatch::AxisWatch;

  void before(const golden::L1dIn&, const golden::CycleL1d&, unsigned) override {}
  void behind(const golden::CycleL1d& golden) override;
  void reset() override { held_ = waits_ = false; }
  void goals(std::map<std::string, std::int64_t>& seen, unsigned ids) const override;

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
    bypassed_poisoned,
    waits_line,
    waits_mshr,
    waits_merge,
    waits_poisoned,
    ends_by_fill,
    events
  };

  std::array<std::int64_t, events> seen_{};
  bool held_ = false;   // the load's first request was not looked up
  bool waits_ = false;  // the load in the tag-lookup stage found nothing to reserve in the cycle before
};

}  // namespace verif
