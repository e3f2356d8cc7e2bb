// The chunks of its line that a load of a cache with modes looks for, cycle by cycle: its own, or
// all (TSC paper, section 3, TSC+; docs/contracts/l1d-split.md, "Modes").
#pragma once
#include "golden/cache/modes_history.h"
#include "golden/cache/monitor.h"
#include "golden/monitors/mode_selector.h"
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

  bool widens() const override { return coarse_; }
  // The mode of the sets that follow, where the cache chooses it.
  bool chooses() const { return kind_ == hw::ModeKind::dueling && !follows_; }
  bool mode_coarse() const { return chooses() && selector_.mode_coarse(); }
  const ModeSelector& selector() const { return selector_; }
  const History* history() const override { return chooses() ? &history_ : nullptr; }
  bool rests() const override { return !chooses(); }
  void show(Controls& decisions) const override { decisions["mode_coarse"] = mode_coarse(); }

  void reset(std::uint64_t loads) override {
    coarse_ = shown_coarse_ = false;
    selector_.edge({.rst = true});
    shown_ = observed_ = {};
    if (chooses()) history_.note(loads, false);
  }
  void observe(const ProbeEvent& event, unsigned) override {
    if (event.is_load())
      observed_ = {.probe_valid = true,
                   .probe_miss = event.fetched() != 0,  // a BYPASS counts nothing
                   .probe_set = event.set,
                   .probe_chunks = event.fetched()};
  }
  // A probe is shown to the selector in the cycle behind its own.
  void edge(std::uint64_t loads) override {
    if (!chooses()) return;
    shown_coarse_ = selector_.mode_coarse();
    selector_.edge(shown_);
    shown_ = observed_;
    observed_ = {};
    if (selector_.mode_coarse() != shown_coarse_) history_.note(loads, selector_.mode_coarse());
  }
  void enter(unsigned set, const Controls& controls) override { coarse_ = coarse_for(set, controls); }

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
  ModeSelector::In shown_, observed_;  // shown_: to the selector in this cycle
  bool shown_coarse_ = false;          // by the selector, in the cycle that the last edge ended
  bool coarse_ = false;
  History history_ = modes_history();
};

}  // namespace golden
