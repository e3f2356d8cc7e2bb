// The inputs of the controller of integrated adaptive cache management: IPC that is steady, changes by about
// its fractions, or depends on the limit; rounds of ADI that end soon or late.
#pragma once
#include <array>
#include <random>

#include "cosim/stimulus/awl_stimulus.h"
#include "golden/monitors/iacm_controller.h"

namespace verif {

struct IacmInputs {
  bool rst = false;
  golden::IacmController::In in = {};
};

class IacmStimulus {
 public:
  explicit IacmStimulus(const hw::IacmParams& p)
      : p_(p), issue_(p.awl.warps, p.awl.issue_max), aims_(p.awl) {}

  // Of the cycle that the unit, as it is, begins.
  IacmInputs draw(std::mt19937_64& draw, const golden::IacmController& unit);
  // In a cache, where a run has few idle periods: kernels of one warp, rests that are steady and nothing that
  // begins again, until idle has ended both ways, by a kernel and by a change of the IPC; then kernels of
  // two, until the limit has moved.
  void come_to_idle_soon() {
    idle_soon_ = true;
    changes_[idle] = idle_ends;
  }
  bool comes_to_idle() const { return idle_soon_ && !idle_woke_; }
  // Who says which cells and results of AWL are reached, and wants all of them.
  void aim_at_searches() { searches_ = true; }
  // A cell or result of AWL: no longer aimed at.
  void reached(const std::string& goal) { aims_.reached(goal); }

 private:
  enum Where { idle, rest, search, foreign };
  static Where where(const golden::IacmController& unit);
  bool kernel_starts(std::mt19937_64& draw, const golden::IacmController& unit);
  bool hastens_to_search() const;
  int total(std::mt19937_64& draw, const golden::Awl& unit) const;
  void plan_search(std::mt19937_64& draw, const golden::Awl& unit);
  // A period between rounds of ADI, or without adaptation.
  void plan_watched(std::mt19937_64& draw, const golden::IpcWatch& watch, Where here);

  static constexpr int changes = 7;    // of the IPC, from period to period
  static constexpr int idle_ends = 3;  // the first one in their order by which idle ends

  hw::IacmParams p_;
  IssueStimulus issue_;
  AwlAims aims_;
  bool searches_ = false, idle_soon_ = false, idle_woke_ = false;
  // In the cycle before: an idle period ended, a kernel started; the limit.
  bool was_idle_ = false, kernel_started_ = false;
  int limit_ = 0;
  bool limit_moved_ = false;  // since idle has ended both ways
  // Begun so far: periods by where they are, AWL and ADI; planned so far: changes of the IPC when idle, in
  // rests.
  std::array<int, 3> periods_ = {};
  std::array<int, 2> starts_ = {}, changes_ = {};
  int kernel_at_ = -1;  // cycle of the period in which a kernel starts
};

}  // namespace verif
