#include "cosim/l1d/l1d_in_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "cosim/harness/cpu_seconds.h"
#include "cosim/harness/system_json.h"
#include "cosim/harness/trace_result.h"
#include "cosim/l1d/counters_report.h"
#include "cosim/l1d/l1d_cosim.h"
#include "cosim/l1d/l1d_system.h"
#include "golden/trace/io/json_text.h"

namespace verif {
namespace {

using golden::L1dCounters;
using Json = nlohmann::ordered_json;
using Stalls = std::array<std::int64_t, golden::stall_names.size()>;

// The cache of an SM.
struct Lane {
  Lane(const CosimOptions& options, const hw::L1dParams& params, const MakeL1d& make)
      : under_test(make()), cosim(options, params, *under_test.dut, under_test.state, *under_test.dut) {
    if (Waves* waves = cosim.waves()) under_test.add_probes(*waves);
    cosim.open();
  }
  const L1dUnderTest under_test;
  L1dCosim cosim;
  L1dCounters before;  // the trace
  Stalls stalls_before{};
};

// One lane alone writes waveforms.
CosimOptions without_waves(CosimOptions options) {
  options.vcd = options.fst = {};
  return options;
}

Json json_of(const golden::Sm::Cycles& c) {
  return {{"sending", c.sending}, {"refused", c.refused}, {"waiting", c.waiting}, {"empty", c.empty}};
}

// Of one cache, or the sum of several.
struct Sum {
  L1dCounters counters;
  Stalls stalls{};
  golden::Sm::Cycles cycles;
  golden::CycleCauses causes;
  std::uint64_t memory_instructions = 0, thread_instructions = 0, warp_instructions = 0;
  golden::IssueCycles issue_cycles;

  Sum() = default;
  Sum(const Lane& lane, const SystemCore& core)
      : counters(difference(lane.cosim.golden().counters(), lane.before)),
        stalls(lane.cosim.stalls()),
        cycles(core.sm().cycles()),
        causes(core.causes()),
        memory_instructions(core.sm().instructions()),
        thread_instructions(core.sm().thread_instructions()),
        warp_instructions(core.sm().warp_instructions()),
        issue_cycles(core.sm().issue_cycles()) {
    for (std::size_t i = 0; i < stalls.size(); ++i) stalls[i] -= lane.stalls_before[i];
  }
  void add(const Sum& o) {
    for (const auto& [name, counter] : golden::counter_names) counters.*counter += o.counters.*counter;
    for (std::size_t i = 0; i < stalls.size(); ++i) stalls[i] += o.stalls[i];
    cycles.sending += o.cycles.sending;
    cycles.refused += o.cycles.refused;
    cycles.waiting += o.cycles.waiting;
    cycles.empty += o.cycles.empty;
    causes.add(o.causes);
    memory_instructions += o.memory_instructions;
    thread_instructions += o.thread_instructions;
    warp_instructions += o.warp_instructions;
    issue_cycles.add(o.issue_cycles);
  }

  std::uint64_t missed() const { return counters.misses + counters.partial_misses + counters.bypasses; }
  void add_to(Json& json) const {
    json["instructions"] = memory_instructions;
    json["miss_rate"] = percent(missed(), counters.loads) / 100;
    json["core_cycles"] = json_of(cycles);
    json["cycles_by_cause"] = verif::json_of(causes);
    for (std::size_t i = 1; i < golden::traffic_stalls; ++i)
      json["stall_cycles"][std::string(golden::stall_names[i])] = stalls[i];
    json["counters"] = to_json(counters);
  }
};

class Run {
 public:
  Run(const CosimOptions& options, const hw::L1dParams& params, const MakeL1d& make,
      const MakeGate& make_gate)
      : options_(options), params_(params), make_gate_(make_gate) {
    for (int n = 0; n < options.system->params.sms; ++n)
      lanes_.push_back(std::make_unique<Lane>(
          n == options.system->shown_sm ? options : without_waves(options), params, make));
  }

  CosimReport run() {
    const int sms = options_.system->params.sms;
    report_.stimulus = fmt::format(
        "{} on {} {} of a system",
        options_.traces.size() == 1 ? "a trace" : fmt::format("{} traces", options_.traces.size()), sms,
        sms == 1 ? "SM" : "SMs");
    Progress progress(options_, 0);
    const double start = cpu_seconds();
    for (const std::string& trace : options_.traces) {
      L1dSystem system(trace, params_, *options_.system, make_gate_);
      drive(system, progress);
      if (!report_.mismatches.empty()) break;
      notify(trace, system);
    }
    const double seconds = std::max(cpu_seconds() - start, 1e-6);
    report_.cycles = lanes_[0]->cosim.report().cycles;
    conclude_lanes();
    if (!report_.mismatches.empty()) return report_;
    report_.json.emplace_back("traces", golden::json_text(all_));
    report_.cosim_cycles_per_second = static_cast<double>(report_.cycles) / seconds;
    report_.lines.push_back(fmt::format("speed: {:.0f} cycles/s of the system with every check",
                                        report_.cosim_cycles_per_second));
    return report_;
  }

 private:
  void drive(L1dSystem& system, Progress& progress) {
    for (const auto& lane : lanes_) {
      lane->before = lane->cosim.golden().counters();
      lane->stalls_before = lane->cosim.stalls();
    }
    if (!step(system)) return;  // the reset
    while (!system.done()) {
      if (!step(system)) return;
      system.end_cycle();
      if (system.stands_still()) {
        take_mismatch(0, {.port = "requests that are never answered", .dut = 1});
        return;
      }
      progress.at(lanes_[0]->cosim.report().cycles);
    }
    for (std::size_t n = 0; n < lanes_.size(); ++n)
      if (const std::uint32_t open = lanes_[n]->cosim.outstanding()) {
        take_mismatch(n, {.port = "requests that are never answered", .dut = open});
        return;
      }
  }

  bool step(L1dSystem& system) {
    for (std::size_t n = 0; n < lanes_.size(); ++n) {
      SystemCore& core = system.core(static_cast<int>(n));
      L1dCosim& cosim = lanes_[n]->cosim;
      if (!cosim.step(core)) {
        take_mismatch(n, cosim.report().mismatches.front());
        return false;
      }
      core.behind(cosim.golden());
    }
    return true;
  }

  void take_mismatch(std::size_t sm, Mismatch found) {
    if (found.last_inputs.empty()) found.cycle = lanes_[sm]->cosim.report().cycles;
    found.sm = static_cast<int>(sm);
    report_.mismatches.push_back(std::move(found));
  }

  void conclude_lanes() {
    for (const auto& lane : lanes_) {
      const CosimReport& one = lane->cosim.conclude();
      for (const auto& [goal, times] : one.goals) report_.goals[goal] += times;
    }
    for (const std::string& line : lanes_[0]->cosim.report().lines) report_.lines.push_back(line);
  }

  void notify(const std::string& trace, L1dSystem& system) {
    std::vector<Sum> sums;
    Sum all;
    for (std::size_t n = 0; n < lanes_.size(); ++n) {
      sums.emplace_back(*lanes_[n], system.core(static_cast<int>(n)));
      all.add(sums.back());
    }
    const auto cycles = static_cast<std::uint64_t>(system.cycles());
    const double ipc = static_cast<double>(all.thread_instructions) /
                       static_cast<double>(std::max<std::uint64_t>(1, cycles));
    report_.lines.push_back(fmt::format(
        "{}: {} cycles to finish, {:.2f} IPC, {} loads, {:.1f} % miss, {:.1f} % hit pending",
        shown_file(trace, options_), cycles, ipc, all.counters.loads,
        percent(all.missed(), all.counters.loads), percent(all.counters.hit_pending, all.counters.loads)));
    Json json{{"trace", trace == options_.kept_input ? shown_file(trace, options_) : trace},
              {"cycles", cycles},
              {"sms", lanes_.size()},
              {"warp_instructions", all.warp_instructions},
              {"thread_instructions", all.thread_instructions},
              {"ipc", ipc},
              {"issue_cycles", verif::json_of(all.issue_cycles)}};
    if (const golden::SystemMemory* memory = system.own_memory()) add_memory(json, memory->memory_figures());
    all.add_to(json);
    for (const Sum& sum : sums) sum.add_to(json["per_sm"].emplace_back(Json::object()));
    all_.push_back(std::move(json));
  }

  const CosimOptions& options_;
  const hw::L1dParams& params_;
  const MakeGate& make_gate_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  CosimReport report_;
  Json all_ = Json::array();
};

}  // namespace

CosimReport run_in_system(const CosimOptions& options, const hw::L1dParams& params, const MakeL1d& make,
                          const MakeGate& make_gate) {
  return Run(options, params, make, make_gate).run();
}

}  // namespace verif
