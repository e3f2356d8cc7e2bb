// The chunks of its line that a load of a cache with modes looks for, without time: its own, or
// all (TSC paper, section 3, TSC+).
#pragma once
#include "golden/cache/modes_history.h"
#include "golden/cache/monitor.h"
#include "golden/monitors/mode_selector.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

class UntimedMode final : public Monitor {
 public:
  explicit UntimedMode(const hw::L1dParams& p)
      : always_coarse_(p.mode.kind == hw::ModeKind::coarse),
        dueling_(p.mode.kind == hw::ModeKind::dueling),
        follows_(p.mode.follow),
        samplers_(hw::sets_of(p), p.mode.fine_sets, p.mode.coarse_sets),
        counters_(p.mode.threshold) {
    if (decides()) history_.note(0, false);
  }

  bool coarse(std::uint32_t set) const {
    if (!dueling_) [[likely]]
      return always_coarse_;
    if (follows_ || samplers_[set] == ModeSamplers::Role::follower) return coarse_;
    return samplers_[set] == ModeSamplers::Role::coarse;
  }
  bool decides() const { return dueling_ && !follows_; }
  bool now() const { return always_coarse_ || coarse_; }
  void follow(bool coarse) {
    if (follows_) coarse_ = coarse;
  }
  const History* history() const override { return decides() ? &history_ : nullptr; }

  // A load; a BYPASS counts nothing. The winner shows at once.
  void observe(const ProbeEvent& load, unsigned) override {
    if (!decides() || samplers_[load.set] == ModeSamplers::Role::follower) return;
    const bool is_coarse = samplers_[load.set] == ModeSamplers::Role::coarse;
    if (!counters_.load(is_coarse, load.fetched() != 0, load.fetched())) return;
    if (counters_.decision() != ModeCounters::Decision::stay)
      coarse_ = counters_.decision() == ModeCounters::Decision::coarse;
    changed_ = true;
  }
  void edge(std::uint64_t loads) override {
    if (!changed_) [[likely]]
      return;
    history_.note(loads, coarse_);
    changed_ = false;
  }

 private:
  const bool always_coarse_, dueling_, follows_;
  ModeSamplers samplers_;
  ModeCounters counters_;
  bool coarse_ = false, changed_ = false;
  History history_ = modes_history();
};

}  // namespace golden
