// Registers of one warp whose values are on their way: an instruction issues when neither its sources nor its
// destination are among them.
#pragma once
#include <array>
#include <cstdint>

#include "golden/trace/rec_trace.h"

namespace golden {

class Scoreboard {
 public:
  enum class Wait : std::uint8_t { none, result, load };

  // What the instruction waits for; a load before anything else.
  Wait waits(const Registers& r) const {
    bool result = false;
    const auto look = [&](std::uint8_t number) {
      if (number == Registers::none || !has(pending_, number)) return false;
      if (has(of_loads_, number)) return true;
      result = true;
      return false;
    };
    for (const std::uint8_t source : r.sources)
      if (look(source)) return Wait::load;
    if (look(r.destination)) return Wait::load;
    return result ? Wait::result : Wait::none;
  }
  void reserve(std::uint8_t number, bool load) {
    if (number == Registers::none) return;
    set(pending_, number, true);
    set(of_loads_, number, load);
  }
  void release(std::uint8_t number) {
    if (number != Registers::none) set(pending_, number, false);
  }

 private:
  using Set = std::array<std::uint64_t, 4>;
  static bool has(const Set& all, unsigned n) { return all[n / 64] >> n % 64 & 1; }
  static void set(Set& all, unsigned n, bool value) {
    all[n / 64] = (all[n / 64] & ~(std::uint64_t{1} << n % 64)) | std::uint64_t{value} << n % 64;
  }

  Set pending_{}, of_loads_{};
};

}  // namespace golden
