// Fine or coarse accesses, chosen by sampling sets (TSC paper, section 3, TSC+): the counters, and when their
// winner shows.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "hw/monitors/mode_selector_params.h"

namespace golden {

// What the sets of a cache are for.
class ModeSamplers {
 public:
  enum class Role : std::uint8_t { follower, fine, coarse };

  ModeSamplers(int sets, const hw::SetList& fine, const hw::SetList& coarse)
      : roles_(static_cast<std::size_t>(sets)) {
    for (int q = 0; q < 4 && sets >= 8; ++q) {
      const int spread = q * (sets / 4) + (sets < 32 ? 0 : q);
      if (!fine.count) roles_[static_cast<std::size_t>(spread)] = Role::fine;
      if (!coarse.count) roles_[static_cast<std::size_t>(spread + sets / 8)] = Role::coarse;
    }
    for (const int s : fine) roles_[static_cast<std::size_t>(s)] = Role::fine;
    for (const int s : coarse) roles_[static_cast<std::size_t>(s)] = Role::coarse;
  }

  Role operator[](unsigned set) const { return roles_[set]; }

 private:
  std::vector<Role> roles_;
};

// Loads of the sampler sets, in order.
class ModeCounters {
 public:
  enum class Decision : std::uint8_t { stay, fine, coarse };
  struct Mode {
    std::uint16_t misses = 0, traffic = 0;
    bool seen = false;
  };

  explicit ModeCounters(int threshold) : threshold_(threshold) {}

  // True when the counters were shifted.
  bool load(bool coarse, bool missed, unsigned chunks) {
    Mode& mode = coarse ? coarse_ : fine_;
    mode.seen = true;
    if (!missed) return false;
    mode.misses = static_cast<std::uint16_t>(mode.misses + 1);
    mode.traffic = static_cast<std::uint16_t>(mode.traffic + 1 + chunks);
    if (mode.misses != threshold_ + 1) return false;
    for (Mode* m : {&fine_, &coarse_}) {
      m->misses = static_cast<std::uint16_t>(m->misses / 2);
      m->traffic = static_cast<std::uint16_t>(m->traffic / 2);
    }
    decision_ = judge();
    fine_.seen = coarse_.seen = false;
    return true;
  }

  // Of the last shift.
  Decision decision() const { return decision_; }
  const Mode& fine() const { return fine_; }
  const Mode& coarse() const { return coarse_; }

 private:
  Decision judge() const {
    const auto product = [](const Mode& m) { return std::uint64_t{m.misses} * m.traffic; };
    const std::uint64_t fine = product(fine_), coarse = product(coarse_);
    if (fine < coarse && fine_.seen) return Decision::fine;
    if (coarse < fine && coarse_.seen) return Decision::coarse;
    return Decision::stay;
  }

  int threshold_;
  Mode fine_, coarse_;
  Decision decision_ = Decision::stay;
};

// The unit, cycle by cycle: one comparison at a time, and at most one shift that waits for the next.
class ModeSelector {
 public:
  static constexpr int search_cycles = 24;

  struct In {
    bool rst = false, probe_valid = false, probe_miss = false;
    std::uint32_t probe_set = 0, probe_chunks = 0;
  };

  explicit ModeSelector(const hw::ModeSelectorParams& p)
      : threshold_(p.threshold), samplers_(p.sets, p.fine_sets, p.coarse_sets), counters_(p.threshold) {}

  // In this cycle, for any inputs.
  bool mode_coarse() const { return coarse_; }
  // Cycles until a winner shows, 0 when none is on its way.
  int left() const { return left_; }
  bool another_waits() const { return waiting_.has_value(); }
  bool shifted() const { return shifted_; }  // by the last edge
  const ModeCounters& counters() const { return counters_; }
  const ModeSamplers& samplers() const { return samplers_; }

  void edge(const In& in) {
    shifted_ = false;
    if (in.rst) {
      counters_ = ModeCounters(threshold_);
      coarse_ = false;
      left_ = 0;
      waiting_.reset();
      return;
    }
    const auto role = in.probe_valid ? samplers_[in.probe_set] : ModeSamplers::Role::follower;
    if (role != ModeSamplers::Role::follower)
      shifted_ = counters_.load(role == ModeSamplers::Role::coarse, in.probe_miss, in.probe_chunks);
    if (shifted_) waiting_ = counters_.decision();
    if (left_ > 0) {
      if (--left_ == 0 && decision_ != ModeCounters::Decision::stay)
        coarse_ = decision_ == ModeCounters::Decision::coarse;
    } else if (waiting_) {
      decision_ = *std::exchange(waiting_, std::nullopt);
      left_ = search_cycles - 1;
    }
  }

 private:
  const int threshold_;
  ModeSamplers samplers_;
  ModeCounters counters_;
  ModeCounters::Decision decision_ = ModeCounters::Decision::stay;  // of the comparison under way
  std::optional<ModeCounters::Decision> waiting_;                   // of the latest shift behind it
  bool coarse_ = false, shifted_ = false;
  int left_ = 0;
};

}  // namespace golden
