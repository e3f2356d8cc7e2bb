// BUCL's update unit beside the cache that it watches (BUCL, section 4), with time and without: it drives
// what decisions compare with, of that cache alone or of all.
#pragma once
#include "golden/policy/bucl_threshold_unit.h"
#include "golden/policy/policy_unit.h"

namespace golden {

class BuclInCache final : public PolicyUnit {
 public:
  explicit BuclInCache(const hw::BuclParams& p) : PolicyUnit(p.designated_sm), unit_(p) {
    history_.note(0, tucd());
  }

  const BuclThresholdUnit& unit() const { return unit_; }

  using PolicyUnit::drive;
  void drive(Controls& controls, int sm) const override {
    controls["tucd"] = unit_.tucd_of(sm);
    controls["hit_rate_low"] = unit_.hit_rate_low();
    controls["buffer_free"] = unit_.buffer_free();
  }

  void notify(const MonitorInputs& inputs) override { inputs_ = inputs; }

  void reset(std::uint64_t loads) override {
    unit_.reset();
    access_ = hit_ = false;
    history_.note(loads, tucd());
  }
  // A load that goes past the cache is no access.
  void observe(const ProbeEvent& event, unsigned) override {
    access_ = event.is_load() && event.result != Result::bypass;
    hit_ = access_ && event.result == Result::hit;
  }
  void edge(std::uint64_t loads) override {
    const int before = tucd();
    unit_.edge({.kernel_start = inputs_["kernel_start"] != 0,
                .access = access_,
                .hit = hit_,
                .occupancy = inputs_.from("occupancy0"),
                .issued = inputs_.from("issued0")});
    access_ = hit_ = false;
    if (tucd() != before) history_.note(loads, tucd());
  }
  const History* history() const override { return &history_; }
  void publish(StateList& list) const override { unit_.publish(list, "thresholds."); }

 private:
  int tucd() const { return static_cast<int>(unit_.tucd_of(watched_sm())); }

  BuclThresholdUnit unit_;
  MonitorInputs inputs_;
  bool access_ = false, hit_ = false;  // in this cycle
  History history_{
      .name = "tucd_history", .key = "tucd", .title = "requests of the widest loads that it looks up"};
};

}  // namespace golden
