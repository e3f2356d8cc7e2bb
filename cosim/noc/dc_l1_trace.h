// Kernels on the whole of a topology: its Verilog and its reference model in lock step, all ports in every
// cycle; random requests instead: dc_l1_cosim.h.
#pragma once
#include "cosim/noc/dc_l1_cosim.h"
#include "cosim/noc/dc_l1_environment.h"
#include "cosim/noc/dc_l1_streams.h"
#include "cosim/noc/topology_in_lock_step.h"

namespace verif {

template <class Dut, hw::TopologyParams P, class Ports>
class DcL1TraceCosim {
 public:
  static constexpr bool boost = golden::has_fast_clock(P);
  using Streams = DcL1Streams<Dut, P, Ports>;

  DcL1TraceCosim(const CosimOptions& options, void (*add_probes)(Dut&, Waves&)) : options_(options) {
    if (options.waves().empty()) return;
    waves_ = std::make_unique<Waves>(pictured(options));
    add_probes(dut_, *waves_);
    waves_->add_golden("flush_ready", 1, &flush_ready_);
  }

  CosimReport run() {
    report_.stimulus =
        options_.traces.size() == 1 ? "a trace" : fmt::format("{} traces", options_.traces.size());
    const double start = cpu_seconds();
    if (options_.system) {
      report_.stimulus += " in a system";
      run_traces([&](const std::string& trace) { return BytesInSystem(P, trace, options_); });
    } else {
      run_traces([&](const std::string& trace) { return DcL1Environment(P, trace, options_); });
    }
    const double seconds = cpu_seconds() - start;
    if (waves_) waves_->close(pictured_mismatches());
    if (!report_.mismatches.empty()) return report_;
    add_results(report_, results_, options_);
    if (options_.system) add_systems(report_, results_, systems_);
    const double speed = static_cast<double>(report_.cycles) / seconds;
    report_.lines.push_back(fmt::format("speed: {:.0f} cycles/s with every check", speed));
    report_.cosim_cycles_per_second = speed;
    return report_;
  }

 private:
  template <class Make>
  void run_traces(const Make& make) {
    Progress progress(options_, 0);
    for (const std::string& trace : options_.traces) {
      reset();
      auto environment = make(trace);
      while (!environment.over() && report_.mismatches.empty()) {
        cycle(environment);
        progress.at(report_.cycles);
      }
      if (!report_.mismatches.empty()) return;
      results_.push_back(environment.finish(*golden_));
      if constexpr (requires { environment.report(); }) systems_.push_back(environment.report());
    }
  }

  void reset() {
    golden_ = golden::make_topology<P>();
    golden::TopologyIn in;
    in.rst = true;
    for (const bool slow : boost ? std::vector{false, true} : std::vector{true}) {
      settle(in);
      golden_->outputs(in);
      step(in, slow);
    }
    ++report_.cycles;
  }

  template <class Environment>
  void cycle(Environment& environment) {
    const auto& in = environment.drive();
    if (boost) {
      settle(in);
      const auto& shown = golden_->outputs(in);
      flush_ready_ = shown.flush_ready;
      if (waves_) waves_->sample(2 * report_.cycles, true);
      if (differs(Streams::compare(dut_, shown)) || differs(Streams::compare(dut_, *golden_))) return;
      step(in, false);
    }
    settle(in);
    const auto& shown = golden_->outputs(in);
    flush_ready_ = shown.flush_ready;
    if (waves_) sample_waves();
    if (differs(Streams::compare(dut_, shown)) || differs(Streams::compare(dut_, *golden_)) ||
        differs(environment.note(shown, *golden_)))
      return;
    step(in, true);
    ++report_.cycles;
  }

  // With boost a picture has the cycles of clk_noc1, two of one of clk.
  static CosimOptions pictured(CosimOptions options) {
    if (!boost) return options;
    options.vcd_first *= 2;
    if (options.vcd_last != INT64_MAX) options.vcd_last = 2 * options.vcd_last + 1;
    return options;
  }
  void sample_waves() {
    if (boost)
      waves_->sample(2 * report_.cycles + 1, false);
    else
      waves_->sample(report_.cycles);
  }
  std::vector<Mismatch> pictured_mismatches() const {
    std::vector<Mismatch> all = report_.mismatches;
    for (Mismatch& m : all) m.cycle = boost ? 2 * m.cycle + 1 : m.cycle;
    return all;
  }

  bool differs(const std::optional<Difference>& d) {
    if (d) report_.mismatches.push_back({report_.cycles, d->what, d->dut, d->golden});
    return d.has_value();
  }

  bool differs(std::optional<Mismatch> wrong) {
    if (!wrong) return false;
    wrong->cycle = report_.cycles;
    report_.mismatches.push_back(*wrong);
    return true;
  }

  void settle(const golden::TopologyIn& in) {
    dut_.rst = in.rst;
    Streams::drive(dut_, in);
    dut_.eval();
  }

  void step(const golden::TopologyIn& in, bool slow) {
    slow ? golden_->edge(in) : golden_->fast_edge(in);
    if constexpr (requires { dut_.clk_noc1; }) dut_.clk_noc1 = 1;
    dut_.clk = slow;
    dut_.eval();
    if constexpr (requires { dut_.clk_noc1; }) dut_.clk_noc1 = 0;
    dut_.clk = 0;
  }

  CosimOptions options_;
  Dut dut_;
  std::unique_ptr<golden::Topology> golden_;
  CosimReport report_;
  std::vector<DcL1Result> results_;
  std::vector<SystemReport> systems_;  // of each trace, in a system
  std::unique_ptr<Waves> waves_;
  std::uint64_t flush_ready_ = 0;
};

}  // namespace verif
