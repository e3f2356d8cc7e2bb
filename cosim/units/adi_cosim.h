// Lock step of one Verilated adaptive-indexing monitor and its reference model: every output, every cycle,
// stopping at the first difference.
#pragma once
#include <fmt/format.h>
#include <verilated.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cosim/harness/cpu_seconds.h"
#include "cosim/harness/report.h"
#include "cosim/harness/waves.h"
#include "cosim/l1d/lru_cache.h"
#include "cosim/units/adi_stimulus.h"
#include "golden/monitors/adi_monitor.h"

namespace verif {

// `Dut` is the Verilated class. A program built with probes passes `add_probes`, which adds the DUT's inner
// nets.
template <class Dut, hw::AdiMonitorParams P>
class AdiCosim {
 public:
  using Golden = golden::AdiMonitor;
  static constexpr int bits = std::countr_zero(static_cast<unsigned>(P.sets));
  static constexpr int sel_bits = std::bit_width(static_cast<unsigned>(P.address_bits - 1));

  AdiCosim(const CosimOptions& options, void (*add_probes)(Dut&, Waves&)) : options_(options) {
    reset(dut_), reset(bare_);
    if (options.waves().empty()) return;
    waves_ = std::make_unique<Waves>(options);
    add_probes(dut_, *waves_);
    for (int i = 0; i < bits; ++i) waves_->add_golden(fmt::format("sel{}", i), sel_bits, &golden_sel_[i]);
    waves_->add_golden("flush_valid", 1, &golden_flush_);
    waves_->known(true);
  }

  CosimReport run() {
    AdiStimulus stimulus(options_, P);
    report_.stimulus = stimulus.words();
    Progress progress(options_, stimulus.total());
    double cosim = 0, bare = 0, golden = 0;
    std::int64_t timed = 0;
    std::vector<AdiInputs> batch;
    for (bool more = true; more && report_.mismatches.empty();) {
      const double start = cpu_seconds();
      batch.clear();
      for (AdiInputs in; batch.size() < 4096 && report_.mismatches.empty();) {
        if (!(more = stimulus.next(in, golden_))) break;
        if (stimulus.is_trace()) ask_cache(in);
        batch.push_back(in);
        cycle(in);
      }
      const double middle = cpu_seconds();
      if (!waves_ && timed < 4'000'000) {
        for (const AdiInputs& in : batch) drive(bare_, in), clock_edge(bare_);
        cosim += middle - start;
        const double end = cpu_seconds();
        bare += end - middle;
        for (const AdiInputs& in : batch) golden_alone_.clock(inputs_of(in));
        golden += cpu_seconds() - end;
        timed += static_cast<std::int64_t>(batch.size());
      }
      progress.at(cycle_);
    }
    report_.cycles = cycle_;
    if (timed) {
      report_.cosim_cycles_per_second = static_cast<double>(timed) / cosim;
      report_.bare_cycles_per_second = static_cast<double>(timed) / bare;
      report_.golden_cycles_per_second = static_cast<double>(timed) / golden;
    }
    goals(stimulus);
    if (waves_) waves_->close(report_.mismatches);
    return report_;
  }

 private:
  using Sel = std::array<std::uint64_t, bits>;

  static void drive(Dut& dut, const AdiInputs& in) {
    dut.rst = in.rst;
    dut.probe_valid = in.probe_valid;
    dut.probe_block_address = in.block_address;
    dut.probe_miss = in.probe_miss;
    dut.flush_ready = in.flush_ready;
    if constexpr (P.steered) dut.adi_start = in.adi_start;
    dut.eval();
  }

  static Golden::In inputs_of(const AdiInputs& in) {
    return {in.probe_valid, in.block_address, in.probe_miss, in.flush_ready, in.adi_start};
  }

  static void clock_edge(Dut& dut) {
    dut.clk = 1;
    dut.eval();
    dut.clk = 0;
  }

  // Outputs are compared from the first cycle on, so it begins behind a reset.
  static void reset(Dut& dut) {
    dut.clk = 0;
    drive(dut, {.rst = true});
    clock_edge(dut);
  }

  static Sel sel_of(const Dut& d) {
    Sel sel{d.sel0};
    if constexpr (bits > 1) sel[1] = d.sel1;
    if constexpr (bits > 2) sel[2] = d.sel2;
    if constexpr (bits > 3) sel[3] = d.sel3;
    if constexpr (bits > 4) sel[4] = d.sel4;
    if constexpr (bits > 5) sel[5] = d.sel5;
    if constexpr (bits > 6) sel[6] = d.sel6;
    if constexpr (bits > 7) sel[7] = d.sel7;
    if constexpr (bits > 8) sel[8] = d.sel8;
    if constexpr (bits > 9) sel[9] = d.sel9;
    return sel;
  }

  void ask_cache(AdiInputs& in) {
    if (in.probe_valid)
      in.probe_miss = cache_.misses(golden_.core().set_of(in.block_address), in.block_address);
    if (in.flush_ready && golden_.flush_valid()) cache_.flush();
  }

  void cycle(const AdiInputs& in) {
    last_[static_cast<std::size_t>(cycle_) % last_.size()] = in;
    drive(dut_, in);
    const Sel sel = sel_of(dut_);
    std::ranges::copy(golden_.sel(), golden_sel_.begin());
    golden_flush_ = golden_.flush_valid();
    if (waves_) waves_->sample(cycle_);
    for (int i = 0; i < bits; ++i)
      if (sel[i] != golden_sel_[i]) return mismatch(fmt::format("sel{}", i), sel[i], golden_sel_[i]);
    if (dut_.flush_valid != golden_flush_) return mismatch("flush_valid", dut_.flush_valid, golden_flush_);
    if constexpr (P.steered)
      if (const bool done = golden_.round_done(inputs_of(in)); dut_.round_done != done)
        return mismatch("round_done", dut_.round_done, done);
    if (sel != previous_sel_ && !rules_hold(sel)) return;
    watch(in);
    previous_sel_ = sel;
    may_change_ = in.rst || (dut_.flush_valid && in.flush_ready);
    if (in.rst) {
      past_ += golden_.core().events();
      golden_ = Golden(P);
    } else {
      golden_.clock(inputs_of(in));
    }
    clock_edge(dut_);
    ++cycle_;
  }

  // Not taken from the model: sel changes behind a flush or a reset alone, and no two index bits are the same
  // bit.
  bool rules_hold(const Sel& sel) {
    Sel sorted = sel;
    std::ranges::sort(sorted);
    const bool twice = std::ranges::adjacent_find(sorted) != sorted.end();
    if (may_change_ && !twice) return true;
    mismatch(twice ? "sel, which holds a bit twice" : "sel, which changed without a flush", sel[0],
             previous_sel_[0]);
    return false;
  }

  void watch(const AdiInputs& in) {
    if (P.steered) watch_rounds(in);
    if (!golden_flush_) {
      waited_ = 0;
      return;
    }
    if (!in.flush_ready)
      ++waited_;
    else
      ++(waited_ ? flushes_after_waiting_ : flushes_at_once_);
    if (in.probe_valid) ++loads_in_flush_;
  }

  static constexpr std::array steps{"victimization",       "the search for the victim",
                                    "selection",           "the search for the winner",
                                    "the cycle behind it", "idle"};

  static Goals rounds_stated() {
    Goals rounds;
    for (const char* goal : {"a start while a flush waits", "a start as a flush is taken",
                             "a round ends with its flush", "a round ends without a flush"})
      rounds[goal] = 0;
    for (const char* step : steps) rounds[std::string("a start in ") + step] = 0;
    return rounds;
  }

  void watch_rounds(const AdiInputs& in) {
    const auto step = static_cast<std::size_t>(golden_.step());
    const bool done = golden_.round_done(inputs_of(in));
    if (golden_flush_) {
      rounds_["a start while a flush waits"] += in.adi_start && !in.flush_ready;
      rounds_["a start as a flush is taken"] += in.adi_start && in.flush_ready;
      rounds_["a round ends with its flush"] += done;
    } else {
      rounds_[std::string("a start in ") + steps[step]] += in.adi_start;
      rounds_["a round ends without a flush"] += done;
    }
  }

  void mismatch(std::string port, std::uint64_t dut, std::uint64_t golden) {
    report_.mismatches.push_back({cycle_, std::move(port), dut, golden});
    const auto shown = std::min<std::int64_t>(static_cast<std::int64_t>(last_.size()), cycle_ + 1);
    for (std::int64_t c = cycle_ - shown + 1; c <= cycle_; ++c) {
      const AdiInputs& in = last_[static_cast<std::size_t>(c) % last_.size()];
      report_.mismatches.back().last_inputs.push_back(fmt::format(
          "cycle {:>8}  rst = {:d}, probe_valid = {:d}, probe_block_address = {:#x}, probe_miss = {:d}, "
          "flush_ready = {:d}, adi_start = {:d}",
          c, in.rst, in.probe_valid, in.block_address, in.probe_miss, in.flush_ready, in.adi_start));
    }
  }

  void goals(const AdiStimulus& stimulus) {
    golden::AdiEvents e = past_;
    e += golden_.core().events();
    auto& seen = report_.goals;
    if (stimulus.is_trace()) {
      seen["a load"] = cycle_ - 1;
      return;
    }
    seen["victimization ends"] = e.victimizations;
    seen["selection ends"] = e.selections;
    if (P.idle && !P.steered) seen["idle ends"] = e.idles;
    if (P.steered)
      for (const auto& [event, times] : rounds_) seen[event] = times;
    if (bits > 1) seen["victim by entropy"] = e.by_entropy;
    if (bits > 1) seen["victim by correlation"] = e.by_correlation;
    if (bits > 1 && P.period == 1 << P.counter_bits) seen["a count of T = 2^M"] = e.full_counts;
    seen["winner is the victim"] = e.kept;
    seen["winner is another bit"] = e.changed;
    seen["flush taken at once"] = flushes_at_once_;
    seen["flush taken after waiting"] = flushes_after_waiting_;
    seen["load while a flush waits"] = loads_in_flush_;
  }

  CosimOptions options_;
  Dut dut_, bare_;
  Golden golden_{P}, golden_alone_{P};
  LruCache cache_{P.sets, 4};
  CosimReport report_;
  Goals rounds_ = rounds_stated();  // of a steered monitor
  std::unique_ptr<Waves> waves_;
  golden::AdiEvents past_;  // before the latest reset
  std::array<AdiInputs, 8> last_{};
  Sel golden_sel_{}, previous_sel_{};
  bool may_change_ = true;
  std::uint64_t golden_flush_ = 0;
  std::int64_t cycle_ = 0, waited_ = 0, flushes_at_once_ = 0, flushes_after_waiting_ = 0, loads_in_flush_ = 0;
};

}  // namespace verif
