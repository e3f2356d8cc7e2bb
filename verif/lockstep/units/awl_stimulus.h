// What a core issues beside adaptive warp limiting: IPC as different functions of the limit, at the limits of
// each comparison, so that searches take every course.
#pragma once
#include <cstdint>
#include <random>
#include <vector>

#include "golden/iacm/awl.h"

namespace verif {

// Instructions of periods that follow each other.
class IssueStimulus {
 public:
  IssueStimulus(int warps, int issue_max)
      : issue_max_(issue_max), by_limit_(static_cast<std::size_t>(warps) + 1) {}

  // Of a period of so many cycles: another function of the limit.
  void plan_kernel(std::mt19937_64& draw, int period);
  // The period to come; `old` is the IPC that it will be held against.
  void plan_period(std::mt19937_64& draw, int period, int limit, std::int64_t old);
  // A period to come in which so much is issued.
  void plan(std::mt19937_64& draw, int period, std::int64_t ipc);
  // Of the next cycle; nothing behind a period's end.
  int issued();

 private:
  int issue_max_;
  std::vector<std::int64_t> by_limit_;  // in a period
  std::int64_t left_ = 0;               // of the period's
  int cycles_left_ = 0, spread_ = 0;    // spread: evenly, early, late
};

struct AwlInputs {
  bool rst = false;
  golden::Awl::In in = {};
};

class AwlStimulus {
 public:
  explicit AwlStimulus(const hw::AwlParams& p) : p_(p), issue_(p.warps, p.issue_max) {}

  // Of the cycle that the unit, as it is, begins.
  AwlInputs draw(std::mt19937_64& draw, const golden::Awl& unit);

 private:
  hw::AwlParams p_;
  IssueStimulus issue_;
};

// 1, all warps, or any number of them.
int random_total(std::mt19937_64& draw, int warps);

}  // namespace verif
