// Cycles from the acceptance of a load at the ports of an L1 data cache to its answer: of hits, and of all
// others.
#pragma once
#include <cstdint>
#include <numeric>
#include <vector>

#include "golden/l1d/cycle_l1d.h"

namespace golden {

// How many loads took how long.
class Latencies {
 public:
  void note(std::uint64_t cycles) {
    if (cycles >= loads_.size()) loads_.resize(cycles + 1);
    ++loads_[cycles];
  }
  void add(const Latencies& other) {
    if (other.loads_.size() > loads_.size()) loads_.resize(other.loads_.size());
    for (std::size_t cycles = 0; cycles < other.loads_.size(); ++cycles)
      loads_[cycles] += other.loads_[cycles];
  }

  std::uint64_t loads() const { return std::accumulate(loads_.begin(), loads_.end(), std::uint64_t{0}); }
  // That part of them, in percent, took at most so many cycles; 0 if there are none.
  std::uint64_t percentile(unsigned percent) const {
    const std::uint64_t all = loads();
    if (all == 0) return 0;
    std::uint64_t cycles = 0, longer = (all - 1) * percent / 100;  // loads before the one that is looked for
    for (; longer >= loads_[cycles]; ++cycles) longer -= loads_[cycles];
    return cycles;
  }

 private:
  std::vector<std::uint64_t> loads_;  // by cycles
};

class PortLatency {
 public:
  void accepted(std::uint64_t id, RequestKind kind, std::uint64_t cycle) {
    if (id >= open_.size()) open_.resize(id + 1);
    open_[id] = {.since = cycle, .is_load = kind == RequestKind::load};
  }
  // What left the tag-lookup stage in the cycle before; null if nothing did.
  void fired(const ProbeEvent* event) {
    if (event && event->is_load() && event->id < open_.size())
      open_[event->id].is_hit = event->result == Result::hit;
  }
  // It is answered before it leaves.
  void hit(std::uint64_t id) {
    if (id < open_.size()) open_[id].is_hit = true;
  }
  void answered(std::uint64_t id, std::uint64_t cycle) {
    if (id >= open_.size()) return;
    const Open& load = open_[id];
    if (load.is_load) (load.is_hit ? hits_ : others_).note(cycle - load.since);
  }

  void add(const PortLatency& other) {
    hits_.add(other.hits_);
    others_.add(other.others_);
  }

  const Latencies& hits() const { return hits_; }
  const Latencies& others() const { return others_; }

 private:
  struct Open {
    std::uint64_t since = 0;
    bool is_load = false, is_hit = false;
  };

  std::vector<Open> open_;  // by id
  Latencies hits_, others_;
};

}  // namespace golden
