// What page placement is told: periods with loads or without, of many and few misses, with traffic at its
// limit and around it; pages at every pace, nodes that are full at times.
#pragma once
#include <random>

#include "golden/blpp/blpp.h"

namespace verif {

struct BlppInputs {
  bool rst = false;
  golden::Blpp::In in = {};
};

class BlppStimulus {
 public:
  explicit BlppStimulus(const hw::BlppParams& p) : p_(p) {}

  // Of the cycle that the unit, as it is, begins.
  BlppInputs draw(std::mt19937_64& draw, const golden::Blpp& unit);

 private:
  // Loads a cycle on average, and the part of them that misses, in 255ths.
  struct Level {
    unsigned loads = 0, misses = 0;
    bool free = false;  // misses that are no part of the loads
  };
  void plan(std::mt19937_64& draw);
  Level level(std::mt19937_64& draw, unsigned most) const;
  static std::uint64_t loads_of(std::mt19937_64& draw, const Level& level);
  static std::uint64_t misses_of(std::mt19937_64& draw, const Level& level, std::uint64_t loads);

  hw::BlppParams p_;
  Level first_, second_;
  std::uint64_t flits_ = 0;                           // of the period
  unsigned pages_ = 0, gpu_full_ = 0, cpu_full_ = 0;  // in 255ths of the cycles
};

}  // namespace verif
