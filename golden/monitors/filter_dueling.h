// SM dueling from its definition: of two caches, one with the reuse-count filter and one without, the better
// one says what the others do (Decoupled L1D paper, section 4.3; docs/contracts/l1d-reuse-filter.md).
#pragma once
#include <array>
#include <cstdint>

#include "hw/monitors/filter_dueling_params.h"

namespace golden {

// A cache's loads in a cycle: at most one.
struct DuelingProbe {
  bool valid = false, miss = false;
};

// What an interval came to. Cache 0 filters, cache 1 does not.
class DuelingScore {
 public:
  explicit DuelingScore(int margin_percent) : margin_percent_(margin_percent) {}

  void load(unsigned cache, bool miss) {
    ++loads_[cache];
    misses_[cache] += miss;
  }
  std::int64_t loads() const { return loads_[0] + loads_[1]; }
  bool idle(unsigned cache) const { return !loads_[cache]; }

  // By how much the miss rates differ more than the margin allows, in hundredths of the product of the loads.
  std::int64_t excess() const {
    const std::int64_t worse_by = misses_[0] * loads_[1] - misses_[1] * loads_[0];
    return 100 * worse_by - margin_percent_ * (loads_[0] * loads_[1]);
  }
  // Whether the others filter from now on; `before` is what they do.
  bool decision(bool before) const { return idle(0) || idle(1) ? before : excess() <= 0; }
  void clear() { loads_ = misses_ = {}; }

 private:
  std::int64_t margin_percent_;
  std::array<std::int64_t, 2> loads_{}, misses_{};
};

class FilterDueling {
 public:
  static constexpr int latency = 32;  // cycles from the last of an interval to the first with its decision

  explicit FilterDueling(const hw::FilterDuelingParams& p)
      : interval_(p.interval), score_(p.margin_percent) {}

  bool filter_enable() const { return filter_enable_; }
  const DuelingScore& score() const { return score_; }  // of the interval that goes on
  // The clock edge of a cycle with these loads.
  void edge(const std::array<DuelingProbe, 2>& probes) {
    for (unsigned k = 0; k < 2; ++k)
      if (probes[k].valid) score_.load(k, probes[k].miss);
    if (++cycle_ % interval_ == 0) {
      due_ = cycle_ + latency - 1;
      decided_ = score_.decision(decided_);
      score_.clear();
    }
    if (cycle_ == due_) filter_enable_ = decided_;
  }
  void reset() {
    score_.clear();
    cycle_ = 0;
    due_ = -1;
    decided_ = filter_enable_ = false;
  }

 private:
  const std::int64_t interval_;
  DuelingScore score_;
  std::int64_t cycle_ = 0, due_ = -1;  // cycle_: cycles since the reset
  bool decided_ = false, filter_enable_ = false;
};

}  // namespace golden
