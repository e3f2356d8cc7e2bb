// What a lock step must come by where loads of other warps merge behind a store to a line on its way.
#pragma once
#include <array>

#include "cosim/l1d/axis_watch.h"

namespace verif {

class L1dMergeWatch final : public AxisWatch {
 public:
  using AxisWatch::AxisWatch;

  void before(const golden::L1dIn&, const golden::CycleL1d&, unsigned) override {}
  void behind(const golden::CycleL1d& golden) override {
    const auto& probe = golden.last_probe();
    if (!probe.occupied || !probe.poisoned) return;
    if (probe.kind == golden::RequestKind::store && probe.fired) {
      seen_[second_warp_stores] += !probe.own_store;
    } else if (probe.kind == golden::RequestKind::load) {
      if (probe.fired)
        ++seen_[merges];
      else if (probe.stall == golden::Stall::line)
        ++seen_[probe.own_store ? own_waits : other_waits];
    }
  }
  void goals(std::map<std::string, std::int64_t>& seen, unsigned ids) const override {
    seen["load waits behind a store of its warp"] = seen_[own_waits];
    if (ids < 8) return;
    seen["stores of two warps to a line on its way"] = seen_[second_warp_stores];
    seen["load of another warp waits, the line there"] = seen_[other_waits];
    if (params_.mshr_merges > 1) seen["load merges behind a store of another warp"] = seen_[merges];
  }

 private:
  enum Event { merges, own_waits, other_waits, second_warp_stores, events };

  std::array<std::int64_t, events> seen_{};
};

}  // namespace verif
