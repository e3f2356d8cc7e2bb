// Timed runs: every SM with a cycle model of its cache, what lies below them, all in step.
#include <algorithm>
#include <memory>

#include "gen/explore/banked.h"
#include "gen/explore/between.h"
#include "gen/explore/dueling.h"
#include "gen/explore/explore.h"
#include "gen/explore/memory_below.h"
#include "gen/explore/policy_unit.h"
#include "gen/explore/progress.h"
#include "gen/explore/workers.h"
#include "golden/gpu/front_end.h"
#include "golden/trace/open/open_trace.h"

namespace gen {

namespace {

class TimedRun {
 public:
  TimedRun(const Config& config, const std::string& trace, const ExploreRequest& request,
           const Config* memory)
      : params_(config.get<hw::L1dParams>()),
        source_(golden::open_trace(trace)),
        gpu_(*source_, gpu_params(params_, request)),
        memory_(memory_below(params_, request, memory)),
        result_(empty_result(config, request, trace)),
        duel_(params_),
        unit_(params_, request.sms) {
    for (int i = 0; i < request.sms; ++i)
      caches_.push_back(std::make_unique<Between>(unit_.follower(cache_of_sm(params_, i)), i, *memory_));
    if (memory) result_.memory = memory->source;
  }

  // `watch` is called now and then with the number of new cycles of an SM, and the share of the trace that
  // has been read.
  template <class Watch>
  RunResult run(Watch&& watch) {
    bool kernel_starts = gpu_.kernel_started();
    gpu_.tick();  // the cycle of the reset
    while (!gpu_.done()) {
      golden::Controls controls = caches_[0]->cache.decisions();
      duel_.drive(controls);
      const golden::MonitorInputs* const monitor_inputs = unit_.notify(gpu_, *memory_);
      for (size_t i = 0; i < caches_.size(); ++i) {
        unit_.drive(controls, i);
        caches_[i]->cycle(gpu_.sm(static_cast<int>(i)), result_.sms[i], controls, monitor_inputs, params_,
                          kernel_starts);
      }
      memory_->tick();
      if (unit_.active()) unit_.edge(caches_[unit_.watched()]->cache);
      if (duel_.active()) duel_.edge(caches_[0]->cache, caches_[1]->cache);
      gpu_.tick();
      kernel_starts = gpu_.kernel_started();
      if (++result_.cycles % sample_cycles != 0) continue;
      if (caches_.size() > 1) replicas_.take(models());
      watch(sample_cycles * caches_.size(), source_->fraction());
    }
    if (caches_.size() > 1) {
      replicas_.take(models());
      result_.mean_replicas = replicas_.mean();
    }
    result_.duel = duel_.result();
    result_.nodes = memory_->figures();
    for (size_t i = 0; i < caches_.size(); ++i) {
      SmResult& sm = result_.sms[i];
      sm.take(caches_[i]->cache);
      sm.loads_by_degree = caches_[i]->degrees.by_degree();
      sm.cycles = gpu_.sm(static_cast<int>(i)).cycles();
      sm.instructions = gpu_.sm(static_cast<int>(i)).instructions();
    }
    if (const golden::History* history = unit_.history())
      result_.sms[unit_.watched()].histories.push_back(*history);
    return std::move(result_);
  }

 private:
  std::vector<const golden::CycleL1d*> models() const {
    std::vector<const golden::CycleL1d*> all;
    for (const auto& one : caches_) all.push_back(&one->cache);
    return all;
  }

  hw::L1dParams params_;
  std::unique_ptr<golden::TraceSource> source_;
  golden::FrontEnd gpu_;
  const std::unique_ptr<golden::MemorySide> memory_;
  std::vector<std::unique_ptr<Between>> caches_;
  RunResult result_;
  ReplicaSamples replicas_;
  TimedDuel duel_;
  UnitForAll unit_;
};

}  // namespace

std::vector<RunResult> explore_timed(const std::vector<Config>& configs, const ExploreRequest& request) {
  const size_t memories = std::max<size_t>(request.memories.size(), 1), grid = configs.size() * memories;
  std::vector<RunResult> results(grid * request.traces.size());
  Progress progress("explore", "cycles", results.size());
  Workers(threads_of(request)).run(results.size(), [&](size_t i) {
    const Config* const memory = request.memories.empty() ? nullptr : &request.memories[i % memories];
    const Config& config = configs[i % grid / memories];
    const std::string& trace = request.traces[i / grid];
    const auto watch = [&](std::uint64_t more, double share) { progress.show(i, share, more); };
    results[i] = is_banked(config) ? timed_in_banks(config, trace, request, memory, watch)
                                   : TimedRun(config, trace, request, memory).run(watch);
    progress.show(i, 1, 0);
  });
  return results;
}

}  // namespace gen
