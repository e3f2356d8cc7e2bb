// A delay line on the answers of hits, so that a hit takes as long as a system says; answers of misses pass
// it. It stands between an SM and its cache.
#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "golden/cache/probe_event.h"
#include "golden/gpu/system/system_sm.h"

namespace golden {

class HitDelay {
 public:
  // Each hit's answer comes that many cycles later.
  HitDelay(SystemSm& sm, int cycles) : sm_(sm), cycles_(static_cast<std::uint64_t>(cycles)) {}

  const GpuRequest* offer() const { return sm_.offer(); }
  void accepted(std::uint32_t id) {
    if (cycles_) note(id, false);
    sm_.accepted(id);
  }
  // What left the lookup in the cycle; null if nothing did.
  void fired(const ProbeEvent* event) {
    if (event && event->is_load() && event->result == Result::hit) hit(static_cast<std::uint32_t>(event->id));
  }
  // The load of that id has hit.
  void hit(std::uint32_t id) {
    if (cycles_) note(id, true);
  }
  // By how many cycles the answer that the cache gives now comes later.
  std::uint64_t delay_of(std::uint64_t id) const { return cycles_ && hits_[id] ? cycles_ : 0; }
  void answered(std::uint64_t id) {
    const auto number = static_cast<std::uint32_t>(id);
    if (delay_of(id))
      line_.push_back({sm_.now() + cycles_, number});
    else
      sm_.answered(number);
  }
  // Before the SM's tick: hands over what is due in this cycle.
  void release() {
    for (; !line_.empty() && line_.front().due <= sm_.now(); line_.pop_front())
      sm_.answered(line_.front().id);
  }
  bool empty() const { return line_.empty(); }

  bool wants_flush() const { return sm_.wants_flush(); }
  void flushed() { sm_.flushed(); }
  void limit_to(int count) { sm_.limit_to(count); }
  unsigned issued_lanes() const { return sm_.issued_lanes(); }
  int resident(hw::LimitScope scope) const { return sm_.resident(scope); }

 private:
  struct Late {
    std::uint64_t due;
    std::uint32_t id;
  };
  void note(std::uint32_t id, bool hit) {
    if (hits_.size() <= id) hits_.resize(id + 1);
    hits_[id] = hit;
  }

  SystemSm& sm_;
  const std::uint64_t cycles_;
  std::deque<Late> line_;
  std::vector<bool> hits_;  // by id
};

}  // namespace golden
