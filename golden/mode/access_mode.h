// Which chunks of its line a load of a cache with modes looks for, cycle by cycle: those that it asks for, or
// all (TSC paper, section 3, TSC+; docs/l1d-split.md, "Modes").
#pragma once
#include <span>
#include <vector>

#include "golden/l1d/controls.h"
#include "golden/l1d/monitor.h"
#include "golden/mode/mode_selector.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

class AccessMode final : public Monitor {
 public:
  explicit AccessMode(const hw::L1dParams& p)
      : kind_(p.mode.kind),
        follows_(p.mode.follow),
        selector_({.sets = hw::sets_of(p),
                   .fine_sets = p.mode.fine_sets,
                   .coarse_sets = p.mode.coarse_sets,
                   .threshold = p.mode.threshold}) {}

  // The load in the probe stage looks for its whole line.
  bool coarse() const { return coarse_; }
  // The mode of the sets that follow, where the cache chooses it.
  bool chooses() const { return kind_ == hw::ModeKind::dueling && !follows_; }
  bool mode_coarse() const { return chooses() && selector_.mode_coarse(); }
  const ModeSelector& selector() const { return selector_; }
  std::span<const ModeChange> history() const { return history_; }

  void reset(std::uint64_t loads) override {
    coarse_ = shown_coarse_ = false;
    selector_.edge({.rst = true});
    shown_ = {};
    if (chooses() && (history_.empty() || history_.back().coarse)) history_.push_back({loads, false});
  }
  // A probe is shown to the selector in the cycle behind its own.
  void edge(const ProbeEvent* seen, std::uint64_t loads) override {
    if (!chooses()) return;
    shown_coarse_ = selector_.mode_coarse();
    selector_.edge(shown_);
    shown_ = {};
    if (seen && seen->is_load())
      shown_ = {.probe_valid = true,
                .probe_miss = seen->missed != 0,
                .probe_set = seen->set,
                .probe_chunks = seen->missed};
    if (selector_.mode_coarse() != shown_coarse_) history_.push_back({loads, selector_.mode_coarse()});
  }
  // A request comes into the probe stage at the edge of the cycle with these controls.
  void enter(unsigned set, const Controls& controls) { coarse_ = coarse_for(set, controls); }

 private:
  bool coarse_for(unsigned set, const Controls& controls) const {
    if (kind_ != hw::ModeKind::dueling) return kind_ == hw::ModeKind::coarse;
    if (follows_) return controls["mode_coarse"] != 0;
    const auto role = selector_.samplers()[set];
    return role == ModeSamplers::Role::follower ? shown_coarse_ : role == ModeSamplers::Role::coarse;
  }

  const hw::ModeKind kind_;
  const bool follows_;
  ModeSelector selector_;
  ModeSelector::In shown_;     // to the selector in this cycle
  bool shown_coarse_ = false;  // by the selector, in the cycle that the last edge ended
  bool coarse_ = false;
  std::vector<ModeChange> history_;
};

}  // namespace golden
