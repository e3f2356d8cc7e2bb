// The miss rate of a cache, and the instructions of its warps, over the time of a run.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "golden/cache/l1d_types.h"

namespace golden {

// Parts of a run with about as many loads each. There are never many: as it goes on, each two become one.
class Timeline {
 public:
  struct Part {
    std::uint64_t loads = 0, misses = 0;
    std::uint64_t cycles = 0, issued = 0;  // timed: thread instructions of memory instructions

    Part operator+(const Part& other) const {
      return {loads + other.loads, misses + other.misses, cycles + other.cycles, issued + other.issued};
    }
    bool operator==(const Part&) const = default;
  };

  Timeline() = default;
  // The run begins when the counters stand so.
  explicit Timeline(const L1dCounters& before) : loads_(before.loads), misses_(misses_of(before)) {}

  // The counters so far.
  void watch(const L1dCounters& c) {
    if (c.loads - loads_ >= width_) take(c);
  }
  // The same at the end of a cycle in which so much was issued.
  void watch(const L1dCounters& c, unsigned issued) {
    ++cycles_;
    issued_ += issued;
    watch(c);
  }
  void finish(const L1dCounters& c) {
    if (c.loads != loads_) take(c);
  }
  const std::vector<Part>& parts() const { return parts_; }

 private:
  static std::uint64_t misses_of(const L1dCounters& c) { return c.misses + c.partial_misses + c.bypasses; }

  void take(const L1dCounters& c) {
    constexpr std::size_t most = 256;
    parts_.push_back(
        {c.loads - loads_, misses_of(c) - misses_, std::exchange(cycles_, 0), std::exchange(issued_, 0)});
    loads_ = c.loads;
    misses_ = misses_of(c);
    if (parts_.size() < most) return;
    for (std::size_t i = 0; i < most / 2; ++i) parts_[i] = parts_[2 * i] + parts_[2 * i + 1];
    parts_.resize(most / 2);
    width_ *= 2;
  }

  std::vector<Part> parts_;
  std::uint64_t width_ = 64, loads_ = 0, misses_ = 0;
  std::uint64_t cycles_ = 0, issued_ = 0;  // of the part to come
};

}  // namespace golden
