// Coverage goals of a coalescer: shapes of instructions, orders of answers, and all that can be full.
#pragma once
#include <bitset>

#include "cosim/coalescer/coalescer_scoreboard.h"
#include "cosim/harness/report.h"

namespace verif {

class CoalescerWatch {
 public:
  using Unit = golden::Coalescer;

  explicit CoalescerWatch(const hw::CoalescerParams& p) : p_(p) {}

  void cycle(const Unit& unit, const CoalescerInputs& inputs, const Unit::Out& out);
  Goals goals(const CoalescerScoreboard::Orders& orders);

 private:
  void taken(const golden::LaneInstruction& i);

  hw::CoalescerParams p_;
  std::bitset<65> degrees_;                  // of instructions that are not atomic
  std::bitset<5> load_sizes_, store_sizes_;  // logarithms
  std::bitset<4> kinds_;
  Goals seen_;
};

}  // namespace verif
