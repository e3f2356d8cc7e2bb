// What the controller of integrated adaptive cache management is told: IPC that is steady, changes by about
// its fractions, or depends on the limit; rounds of ADI that end soon or late.
#pragma once
#include <random>

#include "golden/iacm/iacm_controller.h"
#include "verif/lockstep/units/awl_stimulus.h"

namespace verif {

struct IacmInputs {
  bool rst = false;
  golden::IacmController::In in = {};
};

class IacmStimulus {
 public:
  explicit IacmStimulus(const hw::IacmParams& p) : p_(p), issue_(p.awl.warps, p.awl.issue_max) {}

  // Of the cycle that the unit, as it is, begins.
  IacmInputs draw(std::mt19937_64& draw, const golden::IacmController& unit);

 private:
  bool kernel_starts(std::mt19937_64& draw, const golden::IacmController& unit) const;
  // A period between rounds of ADI, or without adaptation.
  void plan_watched(std::mt19937_64& draw, const golden::IpcWatch& watch, int period,
                    const hw::Fraction& fraction);

  hw::IacmParams p_;
  IssueStimulus issue_;
};

}  // namespace verif
