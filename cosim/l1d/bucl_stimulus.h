// The inputs of BUCL's decision beside the request itself: of how many requests each load is, and the own
// update unit's inputs from the GPU.
#pragma once
#include <algorithm>
#include <optional>
#include <random>

#include "cosim/stimulus/bucl_threshold_stimulus.h"
#include "golden/l1d/cycle_l1d.h"

namespace verif {

class BuclStimulus {
 public:
  // For a cache whose policy reads degrees.
  BuclStimulus(const hw::L1dParams& p, std::uint64_t seed) : draw_(seed) {
    if (hw::has_own_thresholds(p.bypass)) gpu_.emplace(p.bypass.bucl);
  }

  // Degrees about the threshold that the cache compares with.
  void aim_at(const golden::CycleL1d& cache) { cache_ = &cache; }
  void restart() { left_ = 0; }
  // Loads of one request each.
  void narrow(bool on) { narrow_ = on; }

  // Of the own update unit: lines so that the hit rate stays at its threshold, and the last loads of a period
  // decide.
  bool may_balance() const { return gpu_.has_value(); }
  void balance(bool on) { balances_ = on; }
  bool balances() const { return balances_; }
  // Whether the next load is to hit. A load is counted some cycles later, so misses are some loads apart.
  bool wants_hit() {
    const auto& unit = cache_->thresholds()->unit();
    const std::int64_t lacking =
        unit.accesses() * unit.params().hit_rate[0] - unit.hits() * unit.params().hit_rate[1];
    constexpr int apart = 8;
    const bool miss = lacking < -64 || (lacking <= 0 && hits_since_ >= apart);
    hits_since_ = miss ? 0 : hits_since_ + 1;
    return !miss;
  }

  // A new request on the core's side: the requests of a load come one after the other, but for some phases
  // that say anything.
  void request(golden::L1dIn& in) {
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

  // Of each cycle.
  void cycle(golden::L1dIn& in) {
    if (gpu_) in.monitor_inputs = gpu_->draw(draw_, cache_->thresholds()->unit()).gpu;
  }

 private:
  unsigned degree() {
    if (narrow_) return 1;
    const auto tucd = static_cast<unsigned>(cache_->controls()["tucd"]);
    if (draw_() % 2) return std::clamp(tucd + static_cast<unsigned>(draw_() % 3), 2u, 64u) - 1;
    return 1 + static_cast<unsigned>(draw_() % (draw_() % 4 ? 6 : 63));
  }

  std::mt19937_64 draw_;
  const golden::CycleL1d* cache_ = nullptr;
  std::optional<BuclThresholdStimulus> gpu_;
  unsigned degree_ = 1, left_ = 0;  // of the load whose requests come
  bool lawless_ = false, narrow_ = false, balances_ = false;
  int hits_since_ = 0;
};

}  // namespace verif
