// What a lock step must come by where hits are answered in the cycle of their lookup (core.hit_latency = 1).
#pragma once
#include <array>

#include "cosim/l1d/axis_watch.h"

namespace verif {

class L1dAtOnceWatch final : public AxisWatch {
 public:
  using AxisWatch::AxisWatch;

  void before(const golden::L1dIn&, const golden::CycleL1d&, unsigned) override {}
  void behind(const golden::CycleL1d& golden) override {
    const auto& probe = golden.last_probe();
    const bool hit = probe.occupied && probe.fired && probe.kind == golden::RequestKind::load &&
                     probe.result == golden::Result::hit;
    seen_[at_once] += hit && probe.at_once;
    seen_[not_ready] += probe.moved_back;
    seen_[beside] += probe.beside;
    seen_[through_stage] += hit && !probe.at_once;
    in_a_row_ = hit && probe.at_once ? in_a_row_ + 1 : 0;
    seen_[back_to_back] += in_a_row_ == 4;
  }
  void reset() override { in_a_row_ = 0; }
  void goals(std::map<std::string, std::int64_t>& seen, unsigned ids) const override {
    seen["hit answered in the cycle of its lookup"] = seen_[at_once];
    seen["back-pressure on such a hit"] = seen_[not_ready];
    seen["another answer beside such a hit"] = seen_[beside];
    seen["hit answered through the answer stage"] = seen_[through_stage];
    if (ids >= 8 && !params_.index_blocking) seen["4 such hits in 4 cycles"] = seen_[back_to_back];
  }

 private:
  enum Event { at_once, not_ready, beside, through_stage, back_to_back, events };

  std::array<std::int64_t, events> seen_{};
  unsigned in_a_row_ = 0;
};

}  // namespace verif
