// BUCL in an exploration: one update unit watches the cache of the designated SM, and all caches follow it
// (BUCL, section 4); of a single SM its cache has the unit.
#pragma once
#include <optional>

#include "gen/explore/result.h"
#include "golden/gpu/front_end.h"
#include "golden/gpu/memory_side.h"
#include "golden/l1d/own_thresholds.h"

namespace gen {

// The inputs of an update unit from the SMs; a single one is the designated.
template <class Gpu>
golden::MonitorInputs monitor_inputs(Gpu& gpu, int sms, std::size_t designated) {
  golden::MonitorInputs inputs;
  const auto issued = inputs.from("issued0");
  for (int s = 0; s < sms; ++s)
    issued[sms > 1 ? static_cast<std::size_t>(s) : designated] =
        static_cast<std::uint8_t>(gpu.sm(s).issued_lanes());
  return inputs;
}

// Untimed, the designated SM's cache has the unit: its requests are the cycles.
inline hw::L1dParams untimed_bucl(hw::L1dParams p, int sm, int sms) {
  if (hw::has_own_thresholds(p.bypass) && sms > 1) p.bypass.bucl.follow = sm != p.bypass.bucl.designated_sm;
  return p;
}

class BuclForAll {
 public:
  BuclForAll(const hw::L1dParams& p, int sms)
      : p_(p.bypass.bucl),
        sms_(sms),
        is_reported_(hw::has_own_thresholds(p.bypass)),
        active_(is_reported_ && sms > 1) {
    if (active_) unit_.emplace(p_);
  }

  bool active() const { return active_; }
  // The cache of an SM.
  hw::L1dParams follower(hw::L1dParams p) const {
    if (active_) p.bypass.bucl.follow = true;
    return p;
  }
  void drive(golden::Controls& controls, std::size_t sm) const {
    if (active_) unit_->drive(controls, static_cast<int>(sm));
  }
  std::size_t designated() const { return static_cast<std::size_t>(p_.designated_sm); }
  // Some update unit, this or that of a cache, has inputs from the GPU.
  bool is_reported() const { return is_reported_; }
  // The inputs of update units in this cycle; null where there is none.
  template <class Gpu>
  const golden::MonitorInputs* notify(Gpu& gpu, const golden::MemorySide& memory) {
    if (!is_reported_) return nullptr;
    reported_ = monitor_inputs(gpu, sms_, designated());
    reported_["kernel_start"] = gpu.kernel_started();
    memory.occupancy(reported_.from("occupancy0").first(static_cast<std::size_t>(p_.sub_partitions)),
                     static_cast<unsigned>(p_.buffer_entries));
    return &reported_;
  }
  // The end of a cycle: the designated cache's load in it, and the unit's inputs.
  void edge(const golden::CycleL1d& watched) {
    if (const golden::ProbeEvent* event = watched.last_event()) unit_->observe(*event, 0);
    unit_->notify(reported_);
    unit_->edge(watched.counters().loads);
  }
  const golden::History* history() const { return active_ ? unit_->history() : nullptr; }

 private:
  const hw::BuclParams p_;
  const int sms_;
  const bool is_reported_, active_;
  golden::MonitorInputs reported_ = {};
  std::optional<golden::OwnThresholds> unit_;
};

}  // namespace gen
