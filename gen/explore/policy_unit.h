// The unit of a bypass policy in an exploration: one watches the cache of its SM, and all caches follow it;
// of a single SM its cache has the unit.
#pragma once
#include <memory>

#include "gen/explore/result.h"
#include "golden/gpu/front_end.h"
#include "golden/gpu/memory_side.h"
#include "golden/gpu/monitor_inputs_of_sm.h"
#include "golden/l1d/cycle_l1d.h"
#include "golden/policy/policy_unit.h"

namespace gen {

// Adds what SMs drive to a unit; the sources are those of the cache that would have it.
template <class Gpu>
void drive_sms(golden::MonitorInputs& inputs, Gpu& gpu, int sms, const golden::MonitorSources& sources) {
  const auto lanes = [&](int sm) { return gpu.sm(sm).issued_lanes(); };
  sources.drive_sms(inputs, sms, lanes);
}

// Untimed, the watched SM's cache has the unit: its requests are the cycles.
inline hw::L1dParams untimed_follower(hw::L1dParams p, int sm, int sms) {
  if (hw::has_own_unit(p.bypass) && sms > 1) p.bypass.follow = sm != hw::watched_sm(p.bypass);
  return p;
}

class UnitForAll {
 public:
  UnitForAll(const hw::L1dParams& p, int sms)
      : sources_(p),
        sms_(sms),
        is_reported_(hw::has_own_unit(p.bypass)),
        unit_(sms > 1 ? golden::PolicyUnit::make(p) : nullptr) {}

  bool active() const { return unit_ != nullptr; }
  // The cache of an SM.
  hw::L1dParams follower(hw::L1dParams p) const {
    if (active()) p.bypass.follow = true;
    return p;
  }
  void drive(golden::Controls& controls, std::size_t sm) const {
    if (active()) unit_->drive(controls, static_cast<int>(sm));
  }
  // Of one that is active.
  std::size_t watched() const { return static_cast<std::size_t>(unit_->watched_sm()); }
  // Some unit, this or that of a cache, has inputs from the GPU.
  bool is_reported() const { return is_reported_; }
  // The inputs of units in this cycle; null where there is none.
  template <class Gpu>
  const golden::MonitorInputs* notify(Gpu& gpu, const golden::MemorySide& memory) {
    if (!is_reported_) return nullptr;
    sources_.drive_kernel_start(reported_, gpu.kernel_started());
    drive_sms(reported_, gpu, sms_, sources_);
    sources_.drive_memory(reported_, memory);
    return &reported_;
  }
  // The end of a cycle: the watched cache's load in it, and the unit's inputs.
  void edge(const golden::CycleL1d& watched) {
    if (const golden::ProbeEvent* event = watched.last_event()) unit_->observe(*event, 0);
    unit_->notify(reported_);
    unit_->edge(watched.counters().loads);
  }
  const golden::History* history() const { return active() ? unit_->history() : nullptr; }

 private:
  const golden::MonitorSources sources_;
  const int sms_;
  const bool is_reported_;
  golden::MonitorInputs reported_ = {};
  const std::unique_ptr<golden::PolicyUnit> unit_;
};

}  // namespace gen
