// SM dueling in an exploration: caches 0 and 1 filter and do not, the others follow the better one (Decoupled
// L1D paper, section 4.3). And cache 0 chooses between fine and coarse for all (TSC paper, section 3).
#pragma once
#include <span>

#include "gen/explore/result.h"
#include "gen/system/system_checks.h"
#include "golden/cache/filter_duel.h"
#include "golden/l1d/cycle_l1d.h"

namespace gen {

// What the cache of that SM is; the same for all without dueling.
inline hw::L1dParams cache_of_sm(hw::L1dParams p, int sm) {
  if (p.mode.kind == hw::ModeKind::dueling && sm > 0) p.mode.follow = true;  // cache 0 decides for all
  if (!duels(p)) return p;
  p.reuse.dueling = false;
  p.reuse.follow = sm > 1;
  if (sm == 1) p.reuse.threshold = 0;
  return p;
}

// Untimed: an interval is so many loads of caches 0 and 1 together.
class UntimedDuel {
 public:
  explicit UntimedDuel(const hw::L1dParams& p)
      : duels_(gen::duels(p)), interval_(p.reuse.dueling_interval), score_(p.reuse.dueling_margin_percent) {}

  // The results of one SM's requests.
  void note(std::size_t sm, std::span<const golden::Result> answers) {
    if (!duels_ || sm > 1) return;
    for (const golden::Result answer : answers) {
      if (answer != golden::Result::hit && !golden::is_miss(answer)) continue;
      score_.load(static_cast<unsigned>(sm), golden::is_miss(answer));
      if (score_.loads() == interval_) conclude();
    }
  }
  // What it decides.
  void drive(golden::Controls& controls) const { controls["filter_enable"] = on_; }
  const DuelResult& result() const { return result_; }

 private:
  void conclude() {
    const bool on = score_.decision(on_);
    score_.clear();
    ++result_.intervals;
    result_.filtering += on;
    result_.switches += on != on_;
    on_ = on;
  }

  bool duels_, on_ = false;
  std::int64_t interval_;
  golden::DuelingScore score_;
  DuelResult result_;
};

// Timed: the unit filter_dueling beside caches 0 and 1.
class TimedDuel {
 public:
  explicit TimedDuel(const hw::L1dParams& p)
      : duels_(gen::duels(p)),
        unit_({.interval = p.reuse.dueling_interval, .margin_percent = p.reuse.dueling_margin_percent}),
        interval_(static_cast<std::uint64_t>(p.reuse.dueling_interval)) {}

  bool active() const { return duels_; }
  // What it decides.
  void drive(golden::Controls& controls) const { controls["filter_enable"] = unit_.filter_enable(); }
  // The cycle that caches 0 and 1 have just ended.
  void edge(const golden::CycleL1d& first, const golden::CycleL1d& second) {
    const bool before = unit_.filter_enable();
    if (first.last_event()) unit_.observe(*first.last_event(), 0);
    if (second.last_event()) unit_.observe(*second.last_event(), 1);
    unit_.edge(first.counters().loads);
    result_.switches += unit_.filter_enable() != before;
    if (++cycle_ % interval_ != 0) return;
    ++result_.intervals;
    result_.filtering += unit_.filter_enable();
  }
  const DuelResult& result() const { return result_; }

 private:
  bool duels_;
  golden::FilterDuel unit_;
  std::uint64_t interval_, cycle_ = 0;
  DuelResult result_;
};

}  // namespace gen
