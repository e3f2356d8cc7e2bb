// The inputs of BUCL's update unit: whole periods and profiles are planned, so that rates, sums and counts
// meet their limits exactly or miss them by one.
#pragma once
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "golden/cache/monitor_inputs.h"
#include "golden/policy/bucl_threshold_unit.h"

namespace verif {

struct BuclThresholdInputs {
  bool rst = false, access = false, hit = false;
  golden::MonitorInputs gpu = {};
};

class BuclThresholdStimulus {
 public:
  explicit BuclThresholdStimulus(const hw::BuclParams& p);

  // Of the cycle that the unit, as it is, begins.
  BuclThresholdInputs draw(std::mt19937_64& draw, const golden::BuclThresholdUnit& unit);

  // The least sum of a buffer that is too much.
  std::int64_t limit() const { return limit_; }

 private:
  void choose_mood(std::mt19937_64& draw, const golden::BuclThresholdUnit& unit);
  void plan_period(std::mt19937_64& draw, const golden::BuclThresholdUnit& unit);
  void plan_profile(std::mt19937_64& draw);
  bool kernel_starts(std::mt19937_64& draw, const golden::BuclThresholdUnit& unit) const;

  const hw::BuclParams p_;
  const std::int64_t most_, limit_;
  int mood_ = 0, periods_left_ = 0;     // hit rates above the threshold, below it, or any
  int climbs_ = 0, at_end_ = 0;         // to the highest and the lowest threshold so far; periods there
  int periods_ = 0, profiles_ = 0;      // planned so far
  int reset_at_ = -1, kernel_at_ = -1;  // cycles of the period
  int accesses_ = 0, hits_ = 0;         // of the period
  bool shuffled_ = false;               // loads anywhere in it
  std::vector<std::int64_t> sums_;      // by sub-partition
  std::vector<std::uint8_t> lanes_;     // a cycle, by SM
  bool steady_ = true;                  // the same in each cycle
};

}  // namespace verif
