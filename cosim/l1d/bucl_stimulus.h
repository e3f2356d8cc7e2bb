// The inputs of BUCL's decision beside the request itself: of how many requests each load is, and the own
// update unit's inputs from the GPU.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <random>

#include "cosim/l1d/mechanism_traffic.h"
#include "cosim/stimulus/bucl_threshold_stimulus.h"
#include "golden/policy/bucl_in_cache.h"

namespace verif {

class BuclStimulus final : public MechanismStimulus {
 public:
  // For a cache whose policy reads degrees.
  BuclStimulus(const hw::L1dParams& p, std::uint64_t seed) : draw_(seed), period_(p.bypass.bucl.period) {
    if (hw::has_own_unit(p.bypass)) gpu_.emplace(p.bypass.bucl);
  }

  void restart() override { left_ = 0; }
  void open_phase() override { narrow_ = false; }
  // Loads of one request each: wide ones would leave none.
  void leave_traces() override { narrow_ = true; }

  // Of the own update unit, for two of its periods: lines so that the hit rate stays at its threshold, and
  // the last loads of a period decide.
  bool has_phase() const override { return gpu_.has_value(); }
  std::int64_t open_own_phase() override {
    narrow_ = true;
    return std::min(2 * period_, 8000);
  }
  // A load is counted some cycles later, so misses are some loads apart.
  bool wants_hit() override {
    const golden::BuclThresholdUnit& unit = this->unit();
    const std::int64_t lacking =
        unit.accesses() * unit.params().hit_rate[0] - unit.hits() * unit.params().hit_rate[1];
    constexpr int apart = 8;
    const bool miss = lacking < -64 || (lacking <= 0 && hits_since_ >= apart);
    hits_since_ = miss ? 0 : hits_since_ + 1;
    return !miss;
  }

  // A new request on the core's side: the requests of a load come one after the other, but for some phases
  // that say anything.
  std::span<const std::string_view> fields() const override {
    static constexpr std::array set{hw::sideband::degree.name, hw::sideband::first.name};
    return set;
  }
  void request(golden::L1dIn& in) override {
    if (draw_() % 512 == 0) lawless_ = draw_() % 8 == 0;
    const bool is_load = in.core_request_valid && in.core_request_kind == golden::RequestKind::load;
    if (is_load && (narrow_ || !lawless_)) {
      if (left_ == 0) left_ = degree_ = degree();
      in.core_request_sideband.first = left_ == degree_;
      in.core_request_sideband.degree = static_cast<std::uint8_t>(degree_);
      --left_;
      return;
    }
    in.core_request_sideband.first = draw_() % 2;
    in.core_request_sideband.degree = static_cast<std::uint8_t>(1 + draw_() % 63);
  }

  void cycle(golden::L1dIn& in) override {
    if (gpu_) in.monitor_inputs = gpu_->draw(draw_, unit()).gpu;
  }

 private:
  // The own update unit.
  const golden::BuclThresholdUnit& unit() const { return cache_->monitor<golden::BuclInCache>()->unit(); }
  // About the threshold that the cache compares with.
  unsigned degree() {
    if (narrow_) return 1;
    const auto tucd = static_cast<unsigned>(cache_->controls()["tucd"]);
    if (draw_() % 2) return std::clamp(tucd + static_cast<unsigned>(draw_() % 3), 2u, 64u) - 1;
    return 1 + static_cast<unsigned>(draw_() % (draw_() % 4 ? 6 : 63));
  }

  std::mt19937_64 draw_;
  const int period_;
  std::optional<BuclThresholdStimulus> gpu_;
  unsigned degree_ = 1, left_ = 0;  // of the load whose requests come
  bool lawless_ = false, narrow_ = false;
  int hits_since_ = 0;
};

}  // namespace verif
