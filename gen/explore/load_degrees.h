// The outcome of loads by their degree, the number of requests that each was split into (BUCL, section 3):
// how many hit with all of them, and how long they take from the first request to the last answer.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "golden/gpu/sm.h"

namespace gen {

struct LoadsOfDegree {
  std::uint64_t loads = 0, all_hits = 0, cycles = 0;

  void add(const LoadsOfDegree& other) {
    loads += other.loads;
    all_hits += other.all_hits;
    cycles += other.cycles;
  }
};

inline constexpr std::size_t most_degree = 63;
using LoadsByDegree = std::array<LoadsOfDegree, most_degree + 1>;

// One SM's loads, as its cache takes, looks up and answers their requests; in each cycle in this order.
class LoadDegrees {
 public:
  // `sent` is what the cache takes the request for: a load that it may not cache is no L1 request to it.
  void accepted(const golden::GpuRequest& offer, golden::RequestKind sent, std::uint64_t now) {
    const bool load = offer.request.kind == golden::RequestKind::load;
    if (sent == golden::RequestKind::non_l1) past_.push_back(load);
    if (!load) return;
    if (offer.request.sideband.first) {
      if (free_.empty()) free_.push_back(loads_.size()), loads_.emplace_back();
      current_ = free_.back();
      free_.pop_back();
      loads_[current_] = {
          .degree = offer.request.sideband.degree, .left = offer.request.sideband.degree, .since = now};
    }
    if (load_of_.size() <= offer.id) load_of_.resize(offer.id + 1, nobody);
    load_of_[offer.id] = current_;
    looked_up_next_.push_back(current_);
  }
  // A request leaves the lookup, the oldest of its kind; it counts if it is one of a load.
  void left(golden::RequestKind sent, bool hit) {
    bool load = sent == golden::RequestKind::load;
    if (sent == golden::RequestKind::non_l1) load = past_.front(), past_.pop_front();
    if (!load) return;
    loads_[looked_up_next_.front()].hits += hit;
    looked_up_next_.pop_front();
  }
  void answered(std::uint32_t id, std::uint64_t now) {
    if (load_of_.size() <= id || load_of_[id] == nobody) return;
    const std::size_t number = std::exchange(load_of_[id], nobody);
    Load& load = loads_[number];
    if (--load.left != 0) return;
    by_degree_[load.degree].add({1, load.hits == load.degree, now - load.since});
    free_.push_back(number);
  }

  const LoadsByDegree& by_degree() const { return by_degree_; }

 private:
  static constexpr std::size_t nobody = SIZE_MAX;
  struct Load {
    unsigned degree = 0, left = 0, hits = 0;  // requests; ones without an answer; ones that hit
    std::uint64_t since = 0;
  };

  std::vector<Load> loads_;
  std::vector<std::size_t> free_, load_of_;  // numbers of loads; by id
  std::deque<std::size_t> looked_up_next_;   // the load of each request in front of the lookup
  std::deque<bool> past_;                    // of those there that go past the cache, which are loads'
  std::size_t current_ = 0;
  LoadsByDegree by_degree_{};
};

}  // namespace gen
