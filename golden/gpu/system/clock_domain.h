// A clock beside the core's: how often it ticks in each core cycle.
#pragma once
#include <cstdint>
#include <numeric>

namespace golden {

// Of p/q core ticks; in core cycle t it ticks floor((t + 1) p / q) - floor(t p / q) times.
class ClockDomain {
 public:
  ClockDomain(int p, int q) : p_(p / std::gcd(p, q)), q_(q / std::gcd(p, q)) {}

  // The ticks of the next core cycle.
  int step() {
    phase_ += p_;
    const std::int64_t ticks = phase_ / q_;
    phase_ -= ticks * q_;
    return static_cast<int>(ticks);
  }
  // The ticks of that many core cycles.
  std::int64_t skip(std::int64_t cycles) {
    phase_ += p_ * cycles;
    const std::int64_t ticks = phase_ / q_;
    phase_ -= ticks * q_;
    return ticks;
  }

 private:
  const std::int64_t p_, q_;
  std::int64_t phase_ = 0;
};

}  // namespace golden
