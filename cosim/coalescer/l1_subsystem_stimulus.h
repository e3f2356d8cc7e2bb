// Random instructions of lanes for a cache: few lines and many, lanes that share them and lanes that do not,
// stores and atomics to what loads read, and lines that only loads past the cache touch.
#pragma once
#include <optional>
#include <random>
#include <vector>

#include "cosim/coalescer/lane_scoreboard.h"
#include "hw/coalescer/l1_subsystem_params.h"

namespace verif {

class L1SubsystemStimulus {
 public:
  // `scoreboard` says which ids are free.
  L1SubsystemStimulus(const hw::L1SubsystemParams& p, const LaneScoreboard& scoreboard)
      : p_(p), scoreboard_(scoreboard) {}

  void new_phase(std::mt19937_64& draw);
  // What is driven in this cycle; an instruction stays until it is taken.
  const std::optional<golden::LaneInstruction>& next(std::mt19937_64& draw);
  void taken() { offered_.reset(); }
  void reset();

 private:
  std::optional<golden::LaneInstruction> instruction(std::mt19937_64& draw);
  void places(golden::LaneInstruction& i, std::mt19937_64& draw) const;

  hw::L1SubsystemParams p_;
  const LaneScoreboard& scoreboard_;
  std::optional<golden::LaneInstruction> offered_;
  std::uint64_t idle_ = 1, lines_ = 8, stores_ = 4, spread_ = 0;
  std::uint16_t warp_ = 0;  // where order holds inside a warp alone, all instructions are of this one
};

}  // namespace verif
