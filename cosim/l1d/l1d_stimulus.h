// Random traffic for an L1 data cache, in phases that lead to each of its decisions: few lines, hot sets,
// merges, stores and atomics among them, flushes, resets, and every pattern of back-pressure.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "cosim/l1d/controls_stimulus.h"
#include "cosim/l1d/filling_stimulus.h"
#include "cosim/l1d/l1d_driver.h"
#include "cosim/l1d/l1d_memory.h"
#include "cosim/l1d/l1d_scoreboard.h"
#include "cosim/l1d/mechanism_traffic.h"
#include "cosim/l1d/split_stimulus.h"
#include "cosim/l1d/tag_traffic.h"
#include "cosim/stimulus/adi_environment.h"
#include "cosim/stimulus/adi_walk.h"
#include "golden/cache/adaptive.h"
#include "golden/l1d/cycle_l1d.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

class L1dStimulus final : public L1dDriver {
 public:
  // `scoreboard` says which ids are free.
  L1dStimulus(const hw::L1dParams& params, std::uint64_t seed, std::int64_t cycles,
              const L1dScoreboard& scoreboard);

  // Its index, where it is adaptive, is led to all its decisions, and so are its mechanisms.
  void aim_at(const golden::CycleL1d& cache) {
    cache_ = &cache;
    adaptive_ = cache.monitor<golden::AdaptiveIndex>();
    filling_.aim_at(cache);
    for (const auto& mechanism : mechanisms_) mechanism->aim_at(cache);
  }

  bool drive(golden::L1dIn& in) override;
  void clock(const golden::L1dIn& in, const golden::L1dOut& out, const L1dSeen& seen) override;
  std::int64_t total() const override { return cycles_; }
  bool out_of_order() const override { return memory_.out_of_order(); }

 private:
  // On and off in bursts, or at random.
  struct Pulse {
    unsigned rate = 16;  // in sixteenths
    bool bursts = false, on = true;
    int left = 0;
  };
  struct Bytes {  // of a store
    std::uint32_t mask = 0;
    golden::ByteMask enables{};
    golden::LineData data{};
  };
  struct Weights {
    unsigned load = 16, store = 0, atomic = 0, non_l1 = 0;  // in sixteenths
  };

  void make_lines();
  void make_bytes();
  void open_phase();
  void open_lines();
  void open_recipe();
  void open_duel();
  void open_filling();
  void open_own_phase(MechanismStimulus& mechanism);
  bool awaits_change() const;
  bool in_round() const;
  bool selects() const;
  unsigned phases_of_a_reset(unsigned least) const;
  std::size_t lines_of_interest();
  void open_environment();
  bool open_walk();
  L1dMemory::Manner manner();
  Pulse pulse();
  bool beat(Pulse& p);
  void restart();
  bool is_stuck();
  void drain(golden::L1dIn& in);
  void draw_request(golden::L1dIn& in);
  std::uint32_t draw_mask();
  std::uint64_t draw_line();
  bool chance(unsigned sixteenths) { return draw_() % 16 < sixteenths; }
  template <class Values>
  const auto& any_of(const Values& values) {
    return std::data(values)[draw_() % std::size(values)];
  }

  const hw::L1dParams params_;
  const std::int64_t cycles_;
  const L1dScoreboard& scoreboard_;
  L1dDraw draw_;
  L1dMemory memory_;
  std::uint32_t all_chunks_, id_mask_, slots_;  // slots: requests in flight at most, known by their ids

  const TagTraffic& traffic_;
  FillingStimulus filling_{params_, slots_};
  std::optional<L1dSplitStimulus> split_;
  ControlsStimulus controls_{params_};
  MechanismStimuli mechanisms_;
  std::vector<std::vector<std::uint64_t>> hot_sets_;  // addresses of lines of one set each
  std::vector<std::uint64_t> spread_;                 // of lines anywhere
  std::vector<std::uint64_t> apart_;                  // of lines that only kind 3 touches
  std::vector<Bytes> bytes_;

  // The phase.
  std::int64_t cycle_ = 0, phase_left_ = 0, phases_ = 0;
  std::vector<std::uint64_t> lines_;
  enum class Masks { any, all, one } masks_ = Masks::any;
  bool sequential_ = false, last_id_first_ = false;
  std::size_t next_line_ = 0;
  unsigned repeats_ = 1, repeated_ = 0;  // each line is drawn so often in a row
  std::uint64_t drawn_line_ = 0;
  Weights weights_;
  Pulse requests_, responses_;
  const golden::CycleL1d* cache_ = nullptr;
  const golden::AdaptiveIndex* adaptive_ = nullptr;
  MechanismStimulus* own_phase_ = nullptr;  // whose phase it is, if a mechanism's
  AdiEnvironment environment_;
  AdiWalk walk_;
  bool in_environment_ = false;  // lines are the sequence's
  bool was_in_round_ = false, selected_ = false;
  bool pauses_ = false;      // before a change of the adaptive index
  bool fills_ = false;       // lines are those of filling_
  unsigned flush_rate_ = 0;  // in 4096ths of the cycles
  std::uint32_t most_ids_ = 1;
  bool reset_ = true;

  bool request_waits_ = false, flush_waits_ = false;
  bool store_taken_ = false;  // which may write into a line: a flush may come right behind it
  std::vector<std::uint32_t> free_ids_;
};

}  // namespace verif
