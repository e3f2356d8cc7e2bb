// The inputs of page placement: periods with loads or without, of sums at which the latency test turns over
// or anywhere, with traffic at its limit and around it; pages at every pace, nodes that are full at times.
#pragma once
#include <random>

#include "golden/monitors/blpp.h"

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
  void plan_period(std::mt19937_64& draw);
  void plan_pages(std::mt19937_64& draw);
  std::uint64_t any_sum(std::mt19937_64& draw) const;
  std::uint64_t nearly_most(std::mt19937_64& draw) const;
  golden::BlppEvents any_sums(std::mt19937_64& draw) const;
  golden::BlppEvents at_threshold(std::mt19937_64& draw, bool near, bool without_a2 = false) const;
  golden::BlppEvents at_wide_threshold(std::mt19937_64& draw, bool near) const;
  std::uint64_t most() const { return 255 * static_cast<std::uint64_t>(p_.period); }

  hw::BlppParams p_;
  int periods_ = 0;                                   // planned so far
  int reset_at_ = 0;                                  // step of the decision in which it is reset
  golden::BlppEvents sums_;                           // that the period is to come to
  std::uint64_t last_flits_ = 0;                      // of these flits, in the period's last cycle
  unsigned pages_ = 0, gpu_full_ = 0, cpu_full_ = 0;  // in 255ths of the cycles
};

}  // namespace verif
