// BUCL's decision in front of a cache (BUCL, section 4): loads of more requests than TUCD go past it; so does
// a load that finds nothing to reserve, while the hit rate is low and the buffer of its sub-partition free.
#pragma once
#include "golden/policy/policy.h"

namespace golden {

class Bucl final : public Policy {
 public:
  explicit Bucl(const hw::BuclParams& p) : sub_partitions_(static_cast<unsigned>(p.sub_partitions)) {}

  void reset() override { held_ = false; }
  void steer(const Controls& controls) override {
    tucd_ = controls["tucd"];
    hit_rate_low_ = controls["hit_rate_low"] != 0;
    buffer_free_ = controls["buffer_free"];
  }

  // The first request decides while it waits; the others do what was decided when it was accepted.
  bool before_lookup(const PolicyLoad& load) const override {
    return load.first ? load.degree > tucd_ : held_;
  }
  bool in_place_of_fail(const PolicyLoad& load) const override {
    return hit_rate_low_ && (buffer_free_ >> (load.address >> 8) % sub_partitions_ & 1);
  }
  void served(const PolicyLoad& load, Result, Place, bool) override {
    if (load.first) held_ = before_lookup(load);
  }

  void publish(StateList& list) const override {
    list.value("bypass_held", 1, {}, [this](unsigned, unsigned) { return held_; });
  }

 private:
  const unsigned sub_partitions_;
  std::uint64_t tucd_ = 0, buffer_free_ = 0;
  bool hit_rate_low_ = false;
  bool held_ = false;
};

}  // namespace golden
