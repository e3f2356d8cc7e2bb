// Lock step of a Verilated L1 data cache and golden: every output in every cycle, and the state behind them,
// under random traffic, recordings, or traces; or cycle by cycle as one SM of a system wants it.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "cosim/harness/report.h"
#include "cosim/harness/state_compare.h"
#include "cosim/harness/waves.h"
#include "cosim/l1d/l1d_compare.h"
#include "cosim/l1d/l1d_driver.h"
#include "cosim/l1d/l1d_dut.h"
#include "cosim/l1d/l1d_memory_faults.h"
#include "cosim/l1d/l1d_scoreboard.h"
#include "cosim/l1d/l1d_trace.h"
#include "cosim/l1d/l1d_upsets.h"
#include "cosim/l1d/l1d_watch.h"
#include "golden/l1d/cycle_l1d.h"

namespace verif {

class L1dCosim {
 public:
  // `state` is that of `dut`. `bare` runs with the same inputs and is only timed.
  // `make_gate`, where there is one, makes what holds the warps of a trace.
  L1dCosim(const CosimOptions& options, const hw::L1dParams& params, L1dDut& dut, const SeenState& state,
           L1dDut& bare, MakeGate make_gate = {});

  Waves* waves() { return waves_.get(); }
  CosimReport run();

  // Instead of run(), where another loop drives: open(), then step() in each cycle, then conclude().
  void open();
  // False at a difference, and when the driver ends.
  bool step(L1dDriver& driver);
  // A rule that is broken outside of the cache.
  void reject(const Mismatch& found) { fail(found); }
  const CosimReport& conclude();
  const golden::CycleL1d& golden() const { return golden_; }
  const CosimReport& report() const { return report_; }
  const std::array<std::int64_t, golden::stall_names.size()>& stalls() const { return watch_.stalls(); }
  std::uint32_t outstanding() const { return scoreboard_.outstanding(); }

 private:
  void begin_batch();
  // Runs until the driver ends or a difference is found.
  void drive(L1dDriver& driver, Progress& progress);
  bool cycle(L1dDriver& driver);
  void watch_entries();
  bool independent_of_ready();
  bool fail(const Mismatch& found);
  void time_batch(double checked_seconds);
  void run_random();
  void run_replays();
  void run_traces();
  void report_counters(const golden::L1dCounters& counters);
  void add_golden_waves();
  void sample_golden();

  const CosimOptions options_;
  const MakeGate make_gate_;
  const hw::L1dParams params_;
  L1dDut &dut_, &bare_;
  const std::unique_ptr<golden::CycleL1d> owned_, owned_alone_;
  golden::CycleL1d &golden_, &golden_alone_;
  L1dScoreboard scoreboard_;
  L1dCompare compare_;
  StateCompare state_;
  const bool ports_alone_;
  L1dWatch watch_;
  std::optional<L1dMemoryFaults> faults_;  // of random traffic, where the cache checks answers
  std::optional<L1dUpsets> upsets_;        // of random traffic, where the data RAM is protected
  const SeenState& seen_state_;
  std::unique_ptr<Waves> waves_;
  CosimReport report_;

  static constexpr std::size_t batch_size = 1024;
  std::vector<golden::L1dIn> batch_;
  std::vector<golden::L1dIn> before_;  // the last ones of the batch before
  golden::L1dIn in_;
  L1dSeen seen_;
  const golden::L1dOut* out_ = nullptr;
  bool known_ = false;
  unsigned entry_watched_ = 0;
  double cosim_seconds_ = 0, bare_seconds_ = 0, golden_seconds_ = 0;
  std::int64_t timed_ = 0;
  // A port of golden in a picture.
  struct GoldenWave {
    bool counts = false;
    golden::LineData words{};
  };
  std::deque<GoldenWave> golden_waves_;  // they stay where they are
};

}  // namespace verif
