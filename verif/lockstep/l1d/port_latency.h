// Cycles from the acceptance of a load at the ports of an L1 data cache to its answer: of hits, and of all
// others.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "golden/l1d/cycle_l1d.h"

namespace verif {

class PortLatency {
 public:
  void accepted(std::uint64_t id, golden::RequestKind kind, std::int64_t cycle) {
    if (id >= open_.size()) open_.resize(id + 1);
    open_[id] = {.since = cycle, .is_load = kind == golden::RequestKind::load};
  }
  // What left the probe stage in the cycle before; null if nothing did.
  void fired(const golden::ProbeEvent* event) {
    if (event && event->is_load() && event->id < open_.size())
      open_[event->id].is_hit = event->result == golden::Result::hit;
  }
  void answered(std::uint64_t id, std::int64_t cycle) {
    if (id >= open_.size()) return;
    const Open& load = open_[id];
    if (load.is_load) (load.is_hit ? hits_ : others_).push_back(cycle - load.since);
  }

  // Sorted.
  std::vector<std::int64_t> hits() const { return sorted(hits_); }
  std::vector<std::int64_t> others() const { return sorted(others_); }

 private:
  struct Open {
    std::int64_t since = 0;
    bool is_load = false, is_hit = false;
  };

  static std::vector<std::int64_t> sorted(std::vector<std::int64_t> cycles) {
    std::ranges::sort(cycles);
    return cycles;
  }

  std::vector<Open> open_;  // by id
  std::vector<std::int64_t> hits_, others_;
};

// That part of them, in percent, took at most so long; 0 if there are none.
inline std::int64_t percentile(const std::vector<std::int64_t>& sorted, std::size_t percent) {
  return sorted.empty() ? 0 : sorted[(sorted.size() - 1) * percent / 100];
}

}  // namespace verif
