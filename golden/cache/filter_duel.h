// SM dueling as a monitor of two caches, one with the reuse-count filter (0) and one without (1).
#pragma once
#include "golden/cache/monitor.h"
#include "golden/monitors/filter_dueling.h"

namespace golden {

class FilterDuel final : public Monitor {
 public:
  explicit FilterDuel(const hw::FilterDuelingParams& p) : unit_(p) {}

  bool filter_enable() const { return unit_.filter_enable(); }

  void reset(std::uint64_t) override {
    unit_.reset();
    probes_ = {};
  }
  void observe(const ProbeEvent& event, unsigned cache) override {
    if (event.is_load()) probes_[cache] = {.valid = true, .miss = event.is_miss()};
  }
  void edge(std::uint64_t) override {
    unit_.edge(probes_);
    probes_ = {};
  }

 private:
  FilterDueling unit_;
  std::array<DuelingProbe, 2> probes_;
};

}  // namespace golden
