// Upsets of a protected data RAM: bits of a code word flip at random times in a cache and in its model, as
// many as the code promises to notice: one, two adjacent, two anywhere (docs/contracts/l1d-ecc.md).
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "cosim/harness/report.h"
#include "cosim/harness/seen_state.h"
#include "cosim/l1d/l1d_books.h"
#include "cosim/l1d/l1d_draw.h"
#include "golden/l1d/cycle_l1d.h"

namespace verif {

class L1dUpsets {
 public:
  L1dUpsets(const hw::L1dParams& params, const SeenState& seen, golden::CycleL1d& golden, std::uint64_t seed);

  // Before a cycle: now and then an upset of both sides.
  void cycle();
  // After the outputs of the cycle.
  void watch(const golden::L1dOut& out, L1dBooks& books, const L1dSeen& seen);
  Goals goals() const;
  std::vector<std::string> lines() const;

 private:
  enum Kind { one, two_adjacent, two_anywhere, kinds };
  enum Event { wrong_hit, wrong_replay, wrong_twice, line_stays, slow_read, events };

  // A word of the data RAM.
  struct Word {
    unsigned set = 0, way = 0, chunk = 0, word = 0;
  };
  Word chosen();
  golden::CodeWord flips(Kind kind);
  void flip(const Word& at, const golden::CodeWord& bits);

  const hw::L1dParams params_;
  golden::CycleL1d& golden_;
  L1dDraw draw_;
  std::vector<const SeenRam*> banks_;  // of way 0, of way 1 ...
  std::array<std::int64_t, kinds> upsets_{};
  std::array<std::int64_t, events> events_{};
  std::int64_t wrong_ = 0, wrong_loads_ = 0, corrected_ = 0, refetched_ = 0, uncorrectable_ = 0;
};

}  // namespace verif
