// BUCL's decision in front of a cache (BUCL, section 4): loads of more requests than TUCD go past it; so does
// a load that finds nothing to reserve, while the hit rate is low and the buffer of its sub-partition free.
#pragma once
#include <bit>
#include <vector>

#include "golden/policy/policy.h"

namespace golden {

class Bucl final : public Policy {
 public:
  // Loads of so many sources come mixed: the top bits of ids, of which there are `id_bits`, say whose it is.
  Bucl(const hw::BuclParams& p, int sources, int id_bits)
      : sub_partitions_(static_cast<unsigned>(p.sub_partitions)),
        source_bits_(std::bit_width(static_cast<unsigned>(sources) - 1)),
        id_bits_(id_bits),
        held_(static_cast<std::size_t>(sources)) {}

  void reset() override { held_.assign(held_.size(), false); }
  void steer(const Controls& controls) override {
    tucd_ = controls["tucd"];
    hit_rate_low_ = controls["hit_rate_low"] != 0;
    buffer_free_ = controls["buffer_free"];
  }

  // The first request decides while it waits; the others do what was decided when it was accepted.
  bool before_lookup(const PolicyLoad& load) const override {
    return load.sideband.first ? load.sideband.degree > tucd_ : held_[source(load)];
  }
  bool in_place_of_fail(const PolicyLoad& load) const override {
    return hit_rate_low_ && (buffer_free_ >> (load.address >> 8) % sub_partitions_ & 1);
  }
  void served(const PolicyLoad& load, Result, Place, bool) override {
    if (load.sideband.first) held_[source(load)] = before_lookup(load);
  }

  void publish(StateList& list) const override {
    const auto sources = static_cast<unsigned>(held_.size());
    list.value("bypass_held", 1, sources > 1 ? StatePlace{.parts = {{"source", sources}}} : StatePlace{},
               [this](unsigned, unsigned source) { return held_[source]; });
  }

 private:
  std::size_t source(const PolicyLoad& load) const {
    return source_bits_ ? static_cast<std::size_t>(load.id >> (id_bits_ - source_bits_)) : 0;
  }

  const unsigned sub_partitions_;
  const int source_bits_, id_bits_;
  std::uint64_t tucd_ = 0, buffer_free_ = 0;
  bool hit_rate_low_ = false;
  std::vector<bool> held_;  // the last decision, by source
};

}  // namespace golden
