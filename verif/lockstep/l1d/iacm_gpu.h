// What the GPU around a cache notifies to its controller of integrated adaptive cache management. Rounds of a
// cache take as long as its loads do, so kernels start less often in them than beside a controller that
// stands alone.
#pragma once
#include <random>

#include "golden/iacm/iacm_controller.h"
#include "verif/lockstep/units/awl_stimulus.h"

namespace verif {

class IacmGpu {
 public:
  explicit IacmGpu(const hw::IacmParams& p) : p_(p), issue_(p.awl.warps, p.awl.issue_max) {}

  // Of the cycle that the unit, as it is, begins; rounds end by themselves.
  golden::IacmController::In draw(std::mt19937_64& draw, const golden::IacmController& unit);

 private:
  bool kernel_starts(std::mt19937_64& draw, const golden::IacmController& unit) const;
  // A period between rounds of ADI, or without adaptation.
  void plan_watched(std::mt19937_64& draw, const golden::IpcWatch& watch, int period,
                    const hw::Fraction& fraction);

  hw::IacmParams p_;
  IssueStimulus issue_;
};

}  // namespace verif
