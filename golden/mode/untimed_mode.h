// Which chunks of its line a load of a cache with modes looks for, without time: those that it asks for, or
// all (TSC paper, section 3, TSC+).
#pragma once
#include <span>
#include <vector>

#include "golden/mode/mode_selector.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

class UntimedMode {
 public:
  explicit UntimedMode(const hw::L1dParams& p)
      : always_coarse_(p.mode.kind == hw::ModeKind::coarse),
        dueling_(p.mode.kind == hw::ModeKind::dueling),
        follows_(p.mode.follow),
        samplers_(hw::sets_of(p), p.mode.fine_sets, p.mode.coarse_sets),
        counters_(p.mode.threshold) {
    if (dueling_ && !follows_) history_.push_back({0, false});
  }

  bool coarse(std::uint32_t set) const {
    if (!dueling_) [[likely]]
      return always_coarse_;
    if (follows_ || samplers_[set] == ModeSamplers::Role::follower) return coarse_;
    return samplers_[set] == ModeSamplers::Role::coarse;
  }
  // `loads`: with this one.
  void loaded(std::uint32_t set, unsigned missed, std::uint64_t loads) {
    if (!dueling_ || follows_ || samplers_[set] == ModeSamplers::Role::follower) return;
    if (!counters_.load(samplers_[set] == ModeSamplers::Role::coarse, missed != 0, missed)) return;
    const bool before = coarse_;
    if (counters_.verdict() != ModeCounters::Verdict::stay)
      coarse_ = counters_.verdict() == ModeCounters::Verdict::coarse;
    if (coarse_ != before) history_.push_back({loads, coarse_});
  }
  std::span<const ModeChange> history() const { return history_; }
  bool decides() const { return dueling_ && !follows_; }
  bool now() const { return coarse_; }
  void follow(bool coarse) {
    if (follows_) coarse_ = coarse;
  }

 private:
  const bool always_coarse_, dueling_, follows_;
  ModeSamplers samplers_;
  ModeCounters counters_;
  bool coarse_ = false;
  std::vector<ModeChange> history_;
};

}  // namespace golden
