// The runs of an L1 data cache's lock step that take files: recordings, and traces through a GPU's front end.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "cosim/harness/history_report.h"
#include "cosim/harness/trace_result.h"
#include "cosim/l1d/counters_report.h"
#include "cosim/l1d/l1d_cosim.h"
#include "cosim/l1d/l1d_replay.h"
#include "cosim/l1d/l1d_trace.h"
#include "cosim/l1d/latency_report.h"
#include "golden/trace/io/json_text.h"

namespace verif {
namespace {

using golden::L1dCounters, golden::L1dIn;

// What a monitor has decided since then, with loads counted from there; its first is the value a reset
// leaves.
golden::History history_since(const L1dCounters& before, golden::History history) {
  const auto all = std::move(history.changes);
  history.changes.clear();
  for (const golden::History::Change& change : all) {
    if (change.loads <= before.loads) history.changes.clear();
    history.changes.push_back(change);
    history.changes.back().loads -= std::min(change.loads, before.loads);
  }
  return history;
}

using Stalls = std::array<std::int64_t, golden::stall_names.size()>;

// Cycles of each cause since then.
nlohmann::ordered_json stalls_since(const Stalls& before, const Stalls& now) {
  nlohmann::ordered_json stalls;
  for (std::size_t i = 1; i < golden::traffic_stalls; ++i)
    stalls[std::string(golden::stall_names[i])] = now[i] - before[i];
  return stalls;
}

std::string words_of(const nlohmann::ordered_json& stalls) {
  std::string causes;
  for (const auto& [name, cycles] : stalls.items())
    causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", name, cycles.get<std::int64_t>());
  return causes;
}

// A trace with its timeline in parts, as `explore` counts them: from the first cycle behind the reset on.
class WatchedTrace final : public L1dDriver {
 public:
  WatchedTrace(L1dTrace& trace, const golden::CycleL1d& model)
      : trace_(trace), model_(model), timeline_(model.counters()) {}

  bool drive(L1dIn& in) override {
    if (counts_) timeline_.watch(model_.counters(), std::exchange(issued_, 0));
    const bool more = trace_.drive(in);
    counts_ = more && !in.rst;
    return more;
  }
  void clock(const L1dIn& in, const golden::L1dOut& out, const L1dSeen& seen) override {
    const std::uint64_t before = trace_.issued();
    trace_.clock(in, out, seen);
    issued_ = static_cast<unsigned>(trace_.issued() - before);
  }
  const Mismatch* wrong() const override { return trace_.wrong(); }

  const golden::Timeline& timeline() {
    timeline_.finish(model_.counters());
    return timeline_;
  }

 private:
  L1dTrace& trace_;
  const golden::CycleL1d& model_;
  golden::Timeline timeline_;
  bool counts_ = false;  // the cycle before was none of the reset
  unsigned issued_ = 0;  // in it
};

}  // namespace

void L1dCosim::report_counters(const L1dCounters& counters) {
  report_.json.emplace_back("counters", to_json(counters).dump());
}

void L1dCosim::run_replays() {
  report_.stimulus = "replay";
  Progress progress(options_, 0);
  auto all = nlohmann::ordered_json::array();
  report_.lines.push_back(fmt::format("{:<28} {:>9} {:>9} {:>8} {:>9} {:>14} {:>15}", "recording", "requests",
                                      "cycles", "hits", "pending", "back-pressure", "uncached"));
  for (const std::string& file : options_.replays) {
    const L1dRecording recording = L1dRecording::read(file);
    std::array<std::int64_t, 3> cycles{};
    L1dCounters counters;
    golden::PortLatency latency;
    nlohmann::ordered_json stalls;
    for (const auto manner :
         {L1dReplay::Manner::plain, L1dReplay::Manner::back_pressure, L1dReplay::Manner::uncached}) {
      const L1dCounters before = golden_.counters();
      const Stalls stalls_before = watch_.stalls();
      L1dReplay replay(recording, params_, manner, golden_);
      drive(replay, progress);
      if (!report_.mismatches.empty()) return;
      cycles[static_cast<std::size_t>(manner)] = replay.cycles();
      if (manner != L1dReplay::Manner::plain) continue;
      counters = difference(golden_.counters(), before);
      latency = replay.latency();
      stalls = stalls_since(stalls_before, watch_.stalls());
    }
    const std::string name = shown_file(file, options_);
    report_.lines.push_back(fmt::format("{:<28} {:>9} {:>9} {:>7.1f}% {:>8.1f}% {:>14} {:>15}", name,
                                        recording.requests.size(), cycles[0],
                                        percent(counters.hits, counters.loads),
                                        percent(counters.hit_pending, counters.loads), cycles[1], cycles[2]));
    report_.lines.push_back(
        fmt::format("  cycles to the answer, median/99th percentile: hits {}, other loads {}",
                    words_of(latency.hits()), words_of(latency.others())));
    report_.lines.push_back(fmt::format("  probes that waited, in cycles: {}", words_of(stalls)));
    all.push_back({{"recording", file == options_.kept_input ? name : file},
                   {"requests", recording.requests.size()},
                   {"cycles", cycles[0]},
                   {"cycles_with_back_pressure", cycles[1]},
                   {"cycles_uncached", cycles[2]},
                   {"hit_rate", percent(counters.hits, counters.loads) / 100},
                   {"latency", json_of(latency)},
                   {"stall_cycles", stalls},
                   {"counters", to_json(counters)}});
  }
  report_.json.emplace_back("replays", golden::json_text(all));
}

void L1dCosim::run_traces() {
  report_.stimulus =
      options_.traces.size() == 1 ? "a trace" : fmt::format("{} traces", options_.traces.size());
  Progress progress(options_, 0);
  auto all = nlohmann::ordered_json::array();
  for (const std::string& file : options_.traces) {
    const L1dCounters before = golden_.counters();
    const Stalls stalls_before = watch_.stalls();
    L1dTrace trace(file, params_, options_, make_gate_);
    WatchedTrace watched(trace, golden_);
    drive(watched, progress);
    if (!report_.mismatches.empty()) return;
    const L1dCounters c = difference(golden_.counters(), before);
    const nlohmann::ordered_json stalls = stalls_since(stalls_before, watch_.stalls());
    const auto& sm = trace.sm_cycles();
    const std::uint64_t missed = c.misses + c.partial_misses + c.bypasses;
    report_.lines.push_back(
        fmt::format("{}: {} cycles to finish, {} loads, {:.1f} % miss, {:.1f} % hit pending{}",
                    shown_file(file, options_), trace.cycles(), c.loads, percent(missed, c.loads),
                    percent(c.hit_pending, c.loads),
                    c.bypasses ? fmt::format(", {:.1f} % bypass", percent(c.bypasses, c.loads)) : ""));
    report_.lines.push_back(fmt::format("  core: {} sending, {} refused, {} waiting, {} empty", sm.sending,
                                        sm.refused, sm.waiting, sm.empty));
    report_.lines.push_back(fmt::format("  thread instructions of memory instructions: {}, {:.2f} a cycle",
                                        trace.issued(),
                                        static_cast<double>(trace.issued()) /
                                            static_cast<double>(std::max<std::int64_t>(1, trace.cycles()))));
    report_.lines.push_back(fmt::format("  probes that waited, in cycles: {}", words_of(stalls)));
    std::vector<golden::History> histories;
    for (const golden::History* all_time : golden_.histories())
      histories.push_back(history_since(before, *all_time));
    for (const golden::History& history : histories)
      for (const std::string& line : lines_of(history)) report_.lines.push_back("  " + line);
    all.push_back(
        {{"trace", file == options_.kept_input ? shown_file(file, options_) : file},
         {"cycles", trace.cycles()},
         {"thread_instructions", trace.issued()},
         {"miss_rate", percent(missed, c.loads) / 100},
         {"core_cycles",
          {{"sending", sm.sending}, {"refused", sm.refused}, {"waiting", sm.waiting}, {"empty", sm.empty}}},
         {"stall_cycles", stalls},
         {"counters", to_json(c)}});
    all.back()["timeline"] = json_of(watched.timeline(), true);
    for (const golden::History& history : histories) {
      all.back()["histories"].push_back(heading_of(history));
      all.back()[history.name] = json_of(history);
    }
  }
  report_.json.emplace_back("traces", golden::json_text(all));
}

}  // namespace verif
