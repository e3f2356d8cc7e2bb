// Upsets of flip-flops of a cache: in each run of random traffic one bit flips once, and the ports show what
// becomes of it. Nothing is promised (docs/verification.md, "Upsets of flip-flops").
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/harness/report.h"
#include "cosim/l1d/l1d_compare.h"
#include "cosim/l1d/l1d_draw.h"
#include "cosim/l1d/l1d_run.h"
#include "cosim/l1d/l1d_scoreboard.h"
#include "cosim/l1d/l1d_stimulus.h"
#include "golden/l1d/cycle_l1d.h"

namespace verif {

class FlopUpsets {
 public:
  FlopUpsets(const CosimOptions& options, const hw::L1dParams& params, const MakeL1d& make);

  CosimReport run();

 private:
  // No output differs from those of a cache without the upset; some do, and all bytes are right; the cache
  // reports an error or breaks a rule that a neighbour can see; a request is never taken or answered; a load
  // or memory has a wrong byte.
  enum Fate { masked, harmless, detected, hung, silent, fates };

  // Registers of an instance of the cache, those below it included.
  struct Group {
    std::string name;
    std::int64_t flops = 0;
    std::array<std::int64_t, fates> seen{};
  };
  struct Flop {
    const SeenRam* of = nullptr;
    Group* group = nullptr;
    unsigned row = 0, bit = 0;
  };
  Flop any_flop();
  Fate upset(std::uint64_t seed, const Flop& flop);
  bool differs(const golden::L1dIn& in);
  bool takes_what_waits(const golden::L1dIn& last);
  std::string json() const;

  const CosimOptions options_;
  const hw::L1dParams params_;
  const L1dUnderTest cache_, reference_;             // the reference has no upset
  const std::unique_ptr<golden::CycleL1d> at_rest_;  // what the stimulus looks at; it never runs
  L1dCompare compare_;
  L1dDraw draw_;
  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_;  // by register
  std::int64_t flops_ = 0, cycles_ = 0;
  L1dSeen shown_;
};

}  // namespace verif
