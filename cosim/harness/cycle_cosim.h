// Lock step of a Verilated unit whose inputs are drawn cycle by cycle: compares before each clock edge, stops
// at the first difference, and times the bare model and the golden model on the same inputs.
#pragma once
#include <fmt/format.h>
#include <verilated.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "cosim/harness/cpu_seconds.h"
#include "cosim/harness/port_bits.h"
#include "cosim/harness/report.h"
#include "cosim/harness/seen_state.h"
#include "cosim/harness/trace_result.h"
#include "cosim/harness/waves.h"

namespace verif {

// One output that differs, or one property that does not hold.
struct Difference {
  std::string what;
  std::uint64_t dut = 0, golden = 0;
};

// The word in which two vectors differ, if they do.
template <std::size_t n>
std::optional<Difference> difference(const std::string& port, const std::bitset<n>& dut,
                                     const std::bitset<n>& golden) {
  if (dut == golden) return {};
  for (std::size_t low = 0;; low += 64) {
    const std::uint64_t got = word_of(dut, low), want = word_of(golden, low);
    if (got != want)
      return Difference{n > 64 ? fmt::format("{}[{}:{}]", port, std::min(n, low + 64) - 1, low) : port, got,
                        want};
  }
}

// What a bench has:
//   struct Inputs                      what is driven in a cycle, `rst` among it; of a unit with clk_noc1 in
//   a
//                                      cycle of that clock, with `slow_edge`: clk rises at its end, too
//   Inputs draw(std::mt19937_64&)      of the next cycle
//   static void drive(Dut&, Inputs)
//   static std::string words(Inputs)
//   std::optional<Difference> compare(Dut&, Inputs)   outputs are settled; may settle others on the way, and
//   must
//                                      leave the inputs as given
//   void edge(Inputs)                  the golden side's clock edge
//   void add_golden(Waves&)
//   Goals goals()                      events that any run must reach, with how often it did
//   void follow(trace, options)        optional: the next inputs are those of a trace, until done(); then
//                                      result() says how it went
//   void see_state(SeenState)          optional: what of the state is compared beside the ports
//   bool flips_bits()                  optional: bits of the unit flip, so that its inputs fit no other, and
//                                      the models alone are not timed
//   struct Alone { void cycle(Inputs) }   the golden model by itself
template <class Dut, class Bench>
class CycleCosim {
 public:
  using Inputs = typename Bench::Inputs;
  static constexpr bool follows_traces =
      requires(Bench & b, const std::string& trace, const CosimOptions& o) {
    b.follow(trace, o);
  };

  CycleCosim(const CosimOptions& options, std::int64_t default_cycles, void (*add_probes)(Dut&, Waves&),
             void (*add_state)(Dut&, SeenState&) = nullptr)
      : options_(options),
        total_(options.random_cycles ? options.random_cycles : default_cycles),
        draw_(options.seed) {
    if (!options.traces.empty() && !follows_traces)
      throw std::runtime_error(
          fmt::format("--trace: {} is driven at random only; use --random", options.top));
    if (add_state) see_state(add_state);
    if (options.waves().empty()) return;
    waves_ = std::make_unique<Waves>(options);
    add_probes(dut_, *waves_);
    bench_.add_golden(*waves_);
  }

  CosimReport run() {
    if constexpr (requires { Bench::reference; }) report_.reference = Bench::reference;
    if (options_.traces.empty()) {
      report_.stimulus = "random stimulus";
      run_until(total_, [&] { return report_.cycles >= total_; });
    } else if constexpr (follows_traces) {
      run_traces();
    }
    report_.goals = bench_.goals();
    if (waves_) waves_->close(report_.mismatches);
    return report_;
  }

 private:
  // One after the other; each begins with a reset.
  void run_traces() {
    const std::size_t count = options_.traces.size();
    report_.stimulus = count == 1 ? "a trace" : fmt::format("{} traces", count);
    std::vector<TraceResult> results;
    for (const std::string& file : options_.traces) {
      bench_.follow(file, options_);
      run_until(0, [&] { return bench_.done() || report_.cycles >= options_.most_cycles; });
      if (!report_.mismatches.empty()) return;
      results.push_back(bench_.result());
      report_.lines.push_back(line_of_trace(options_, file, results.back()));
    }
    report_.json.emplace_back("traces", json_of_traces(options_, results));
  }

  template <class Over>
  void run_until(std::int64_t total, const Over& over) {
    Progress progress(options_, total);
    double cosim = 0, bare = 0, golden = 0;
    std::int64_t timed = 0;
    std::vector<Inputs> batch;
    while (!over() && report_.mismatches.empty()) {
      batch.clear();
      const double start = cpu_seconds();
      while (batch.size() < 1024 && !over() && step(batch)) ++report_.cycles;
      const double middle = cpu_seconds();
      if (timed < 500'000 && !waves_ && !flips_bits() && report_.mismatches.empty()) {
        for (const Inputs& in : batch) settle(bare_, in), clock_edge(bare_, in);
        const double end = cpu_seconds();
        for (const Inputs& in : batch) alone_.cycle(in);
        cosim += middle - start, bare += end - middle, golden += cpu_seconds() - end;
        timed += static_cast<std::int64_t>(batch.size());
      }
      progress.at(report_.cycles);
    }
    if (timed) {
      report_.cosim_cycles_per_second = static_cast<double>(timed) / cosim;
      report_.bare_cycles_per_second = static_cast<double>(timed) / bare;
      report_.golden_cycles_per_second = static_cast<double>(timed) / golden;
    }
  }

  bool flips_bits() const {
    if constexpr (requires { bench_.flips_bits(); }) return bench_.flips_bits();
    return false;
  }

  static void settle(Dut& dut, const Inputs& in) {
    if constexpr (requires { dut.rst; }) dut.rst = in.rst;
    Bench::drive(dut, in);
    dut.eval();
  }

  void see_state(void (*add_state)(Dut&, SeenState&)) {
    if constexpr (requires(Bench & b, const SeenState& s) { b.see_state(s); }) {
      SeenState state;
      add_state(dut_, state);
      if (!state.complete()) report_.lines.push_back("ports alone: the inner state could not be looked at");
      bench_.see_state(state);
    }
  }

  static void clock_edge(Dut& dut, [[maybe_unused]] const Inputs& in) {
    if constexpr (requires { dut.clk; }) {
      dut.clk = 1;
      if constexpr (requires { dut.clk_noc1; }) dut.clk_noc1 = 1, dut.clk = in.slow_edge;
      dut.eval();
      if constexpr (requires { dut.clk_noc1; }) dut.clk_noc1 = 0;
      dut.clk = 0;
    }
  }

  // False at a difference. The first cycle resets a state that is not known yet.
  bool step(std::vector<Inputs>& batch) {
    Inputs in = bench_.draw(draw_);
    if (report_.cycles == 0) in.rst = true;
    batch.push_back(in);
    settle(dut_, in);
    const auto different = report_.cycles == 0 ? std::nullopt : bench_.compare(dut_, in);
    if (waves_) waves_->known(report_.cycles > 0), waves_->sample(report_.cycles, clk_rose_);
    recent_.push_back(in);
    if (recent_.size() > 8) recent_.erase(recent_.begin());
    if (different) {
      report_.mismatches.push_back({report_.cycles, different->what, different->dut, different->golden});
      for (std::size_t i = 0; i < recent_.size(); ++i)
        report_.mismatches.back().last_inputs.push_back(fmt::format(
            "cycle {:>8}  {}{}", report_.cycles + 1 - static_cast<std::int64_t>(recent_.size() - i),
            recent_[i].rst ? "rst " : "", Bench::words(recent_[i])));
      return false;
    }
    bench_.edge(in);
    clock_edge(dut_, in);
    if constexpr (requires { in.slow_edge; }) clk_rose_ = in.slow_edge;
    return true;
  }

  CosimOptions options_;
  std::int64_t total_;
  std::mt19937_64 draw_;
  Dut dut_, bare_;
  Bench bench_;
  typename Bench::Alone alone_;
  CosimReport report_;
  std::unique_ptr<Waves> waves_;
  std::vector<Inputs> recent_;
  bool clk_rose_ = true;  // at the beginning of the cycle
};

// Random numbers of benches: true once in `n`.
inline bool once_in(std::mt19937_64& draw, std::uint64_t n) { return draw() % n == 0; }

// How a bench behaves for a while: each phase lasts 16 to 271 cycles and has its own densities.
class Phase {
 public:
  // True when a new phase begins.
  bool next(std::mt19937_64& draw) {
    if (left_-- > 0) return false;
    left_ = static_cast<int>(draw() % 256) + 15;
    return true;
  }
  // The phase that has begun takes so many cycles more.
  void extend(int cycles) { left_ += cycles; }

 private:
  int left_ = 0;
};

}  // namespace verif
