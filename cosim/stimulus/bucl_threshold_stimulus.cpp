#include "cosim/stimulus/bucl_threshold_stimulus.h"

#include <algorithm>

namespace verif {
namespace {

int accesses_below(std::mt19937_64& draw, std::int64_t n) {
  return static_cast<int>(draw() % static_cast<std::uint64_t>(n));
}

}  // namespace

BuclThresholdStimulus::BuclThresholdStimulus(const hw::BuclParams& p)
    : p_(p),
      most_(std::int64_t{p.buffer_entries} * p.period),
      limit_((p.buffer_use[0] * most_ + p.buffer_use[1] - 1) / p.buffer_use[1]),
      sums_(static_cast<std::size_t>(p.sub_partitions)),
      lanes_(static_cast<std::size_t>(p.sms)) {}

// First to the highest threshold and to the lowest, a few periods at each; then anywhere.
void BuclThresholdStimulus::choose_mood(std::mt19937_64& draw, const golden::BuclThresholdUnit& unit) {
  const auto tucd = static_cast<int>(unit.tucd());
  const bool at_end = climbs_ == 0 ? tucd == p_.highest : tucd == p_.lowest;
  if (climbs_ < 2 && !hw::profiles(p_)) {
    mood_ = climbs_;
    at_end_ += at_end;
    if (at_end_ > 3) at_end_ = 0, ++climbs_;
  } else if (periods_left_-- <= 0) {
    mood_ = accesses_below(draw, 4);
    periods_left_ = accesses_below(draw, 2 * (p_.highest - p_.lowest) + 6);
  }
}

void BuclThresholdStimulus::plan_period(std::mt19937_64& draw, const golden::BuclThresholdUnit& unit) {
  choose_mood(draw, unit);
  // Behind the climbs: a reset in one of 32 periods, a kernel start in the last cycle of another.
  periods_ += climbs_ == 2 || hw::profiles(p_);
  reset_at_ = p_.period > 1 && periods_ % 32 == 30 ? 1 + accesses_below(draw, p_.period - 1) : -1;
  kernel_at_ = periods_ % 32 == 28 ? p_.period - 1 : -1;
  accesses_ = draw() % 8 == 0 ? 0 : draw() % 2 ? p_.period : 1 + accesses_below(draw, p_.period);
  hits_ = mood_ == 0 ? accesses_ : mood_ == 1 ? accesses_ / 8 : accesses_below(draw, accesses_ + 1);
  const int of = p_.hit_rate[1];
  const unsigned climbing = climbs_ < 2 && !hw::profiles(p_) ? 6 : 4;
  if (p_.period >= of && draw() % climbing == 0) {  // at the threshold, or by one hit off it
    const int times = 1 + accesses_below(draw, p_.period / of);
    accesses_ = times * of;
    hits_ = std::clamp(times * p_.hit_rate[0] + accesses_below(draw, 3) - 1, 0, accesses_);
  }
  shuffled_ = draw() % 2;
  const std::int64_t sums[] = {limit_, limit_ - 1, limit_ + 1, 0, most_};
  for (std::int64_t& sum : sums_)
    sum = std::clamp<std::int64_t>(
        draw() % 4 ? sums[draw() % std::size(sums)] : accesses_below(draw, most_ + 1), 0, most_);
}

void BuclThresholdStimulus::plan_profile(std::mt19937_64& draw) {
  steady_ = draw() % 2;
  const int kind = profiles_++ % 4, most = kind == 1 ? std::min(2, p_.issue_max) : p_.issue_max;
  for (std::uint8_t& lanes : lanes_)
    lanes = static_cast<std::uint8_t>(kind ? accesses_below(draw, most + 1) : 0);
  if (kind == 2) lanes_.back() = static_cast<std::uint8_t>(p_.issue_max);
  if (kind == 3) lanes_[0] = lanes_.back() = static_cast<std::uint8_t>(p_.issue_max);
}

// In the last cycle of a period and in searches more often than anywhere.
bool BuclThresholdStimulus::kernel_starts(std::mt19937_64& draw,
                                          const golden::BuclThresholdUnit& unit) const {
  const bool last = unit.cycle() == p_.period - 1;
  const bool searches = hw::profiles(p_) && unit.phase() == golden::BuclThresholdUnit::Phase::search;
  const std::int64_t rare = std::int64_t{4} * p_.period * (p_.highest - p_.lowest + 8) +
                            (hw::profiles(p_) ? 4 * p_.profile_cycles : 0);
  if (hw::profiles(p_) && unit.phase() == golden::BuclThresholdUnit::Phase::run && !last)
    return accesses_below(draw, std::int64_t{3} * p_.period) == 0;  // so that another profile begins
  const std::int64_t once = searches ? 8 * p_.sms : last ? rare / p_.period : 4 * rare;
  return accesses_below(draw, once) == 0;
}

BuclThresholdInputs BuclThresholdStimulus::draw(std::mt19937_64& draw,
                                                const golden::BuclThresholdUnit& unit) {
  BuclThresholdInputs in;
  const std::int64_t cycle = unit.cycle();
  if (cycle == 0) plan_period(draw, unit);
  const bool begins = unit.phase() == golden::BuclThresholdUnit::Phase::profile && unit.profile_cycle() == 0;
  if (hw::profiles(p_) && begins) plan_profile(draw);
  in.rst = cycle == reset_at_ || accesses_below(draw, std::int64_t{100} * p_.period) == 0;
  in.gpu["kernel_start"] = cycle == kernel_at_ || kernel_starts(draw, unit);
  const std::int64_t left = accesses_ - unit.accesses(), cycles_left = p_.period - cycle;
  in.access = left > 0 && (!shuffled_ || accesses_below(draw, cycles_left) < left);
  in.hit =
      in.access ? accesses_below(draw, std::max<std::int64_t>(left, 1)) < hits_ - unit.hits() : draw() % 2;
  const auto occupancy = in.gpu.from("occupancy0");
  for (std::size_t p = 0; p < sums_.size(); ++p)
    occupancy[p] =
        static_cast<std::uint8_t>(sums_[p] * (cycle + 1) / p_.period - sums_[p] * cycle / p_.period);
  if (!hw::profiles(p_)) return in;
  const auto issued = in.gpu.from("issued0");
  const bool still = std::ranges::count(lanes_, 0) == std::ssize(lanes_);
  for (std::size_t s = 0; s < lanes_.size(); ++s)
    issued[s] =
        steady_ || still ? lanes_[s] : static_cast<std::uint8_t>(accesses_below(draw, p_.issue_max + 1));
  return in;
}

}  // namespace verif
