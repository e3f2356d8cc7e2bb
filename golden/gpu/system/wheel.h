// What is due at a cycle not far ahead, kept by cycle.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace golden {

template <class Event>
class Wheel {
 public:
  static constexpr std::uint64_t span = 256;  // cycles ahead, at most span - 1

  void add(std::uint64_t cycle, const Event& event) {
    const std::uint64_t at = cycle % span;
    events_[at].push_back(event);
    filled_[at / 64] |= std::uint64_t{1} << at % 64;
  }
  // Calls `use` with each event of the cycle.
  template <class Use>
  void take(std::uint64_t cycle, Use&& use) {
    const std::uint64_t at = cycle % span, bit = std::uint64_t{1} << at % 64;
    if (!(filled_[at / 64] & bit)) return;
    filled_[at / 64] &= ~bit;
    for (const Event& event : events_[at]) use(event);
    events_[at].clear();
  }
  // The first cycle at or after this one of which there is an event; never if there is none.
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  std::uint64_t next(std::uint64_t cycle) const {
    for (std::uint64_t step = 0; step < span;) {
      const std::uint64_t at = (cycle + step) % span;
      const std::uint64_t word = filled_[at / 64] >> at % 64;
      if (word) return cycle + step + static_cast<std::uint64_t>(std::countr_zero(word));
      step += 64 - at % 64;
    }
    // The part of the first word in front of where the search began.
    const std::uint64_t at = cycle % span, word = filled_[at / 64] & ((std::uint64_t{1} << at % 64) - 1);
    return word ? cycle + span - at % 64 + static_cast<std::uint64_t>(std::countr_zero(word)) : never;
  }

 private:
  std::array<std::vector<Event>, span> events_;
  std::array<std::uint64_t, span / 64> filled_{};
};

}  // namespace golden
