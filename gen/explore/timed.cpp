// Timed runs: every SM with a cycle model of its cache and a memory of its own below, all in step.
#include <bit>
#include <memory>

#include "gen/explore/dueling.h"
#include "gen/explore/explore.h"
#include "gen/explore/progress.h"
#include "gen/explore/workers.h"
#include "golden/gpu/front_end.h"
#include "golden/gpu/next_level.h"
#include "golden/l1d/cycle_l1d.h"

namespace gen {

namespace {

constexpr std::uint64_t sample_cycles = 4096;  // between two looks at what the caches hold

// An SM's cache and what is below it.
struct Below {
  const std::unique_ptr<golden::CycleL1d> owned;
  golden::CycleL1d& cache;
  golden::NextLevel memory;

  explicit Below(const hw::L1dParams& p)
      : owned(golden::CycleL1d::make(p, false)),
        cache(*owned),
        memory({.line_bytes = p.line_bytes, .chunk_bytes = p.chunk_bytes}) {
    golden::L1dIn in;
    in.rst = true;
    cache.outputs(in);
    cache.edge(in);
  }

  void cycle(golden::Sm& sm, SmResult& result, const golden::Controls& controls) {
    golden::L1dIn in;
    in.controls = controls;
    const golden::GpuRequest* const offer = sm.offer();
    if (offer) {
      in.core_request_valid = true;
      in.core_request_id = offer->id;
      in.core_request_kind = offer->request.kind;
      in.core_request_address = offer->request.address;
      in.core_request_mask = offer->request.mask;
    }
    in.core_response_ready = true;
    in.flush_valid = sm.wants_flush();
    memory.drive(in);
    const golden::L1dOut& out = cache.outputs(in);
    if (offer && out.core_request_ready) {
      result.chunks_asked[static_cast<size_t>(offer->request.kind)] +=
          static_cast<unsigned>(std::popcount(offer->request.mask));
      sm.accepted(offer->id);
    }
    if (out.core_response_valid) sm.answered(out.core_response_id);
    if (in.flush_valid && out.flush_ready) sm.flushed();
    memory.edge(in, out);
    cache.edge(in);
    const auto& probe = cache.last_probe();
    result.timeline.watch(cache.counters());
    if (probe.occupied && !probe.fired) ++result.stalls[static_cast<size_t>(probe.stall)];
  }
};

class TimedRun {
 public:
  TimedRun(const Config& config, const std::string& trace, const ExploreRequest& request)
      : params_(config.get<hw::L1dParams>()),
        source_(golden::open_trace(trace)),
        gpu_(*source_, gpu_params(params_, request)),
        result_(empty_result(config, request, trace)),
        duel_(params_) {
    for (int i = 0; i < request.sms; ++i) below_.push_back(std::make_unique<Below>(cache_of_sm(params_, i)));
  }

  // `watch` is told now and then of that many more cycles of an SM, and of the share of the trace that has
  // been read.
  template <class Watch>
  RunResult run(Watch&& watch) {
    gpu_.tick();  // the cycle of the reset
    while (!gpu_.done()) {
      golden::Controls controls = below_[0]->cache.decisions();
      duel_.drive(controls);
      for (size_t i = 0; i < below_.size(); ++i)
        below_[i]->cycle(gpu_.sm(static_cast<int>(i)), result_.sms[i], controls);
      if (duel_.active()) duel_.edge(below_[0]->cache, below_[1]->cache);
      gpu_.tick();
      if (++result_.cycles % sample_cycles != 0) continue;
      if (below_.size() > 1) replicas_.take(caches());
      watch(sample_cycles * below_.size(), source_->fraction());
    }
    if (below_.size() > 1) {
      replicas_.take(caches());
      result_.mean_replicas = replicas_.mean();
    }
    result_.duel = duel_.result();
    for (size_t i = 0; i < below_.size(); ++i) {
      SmResult& sm = result_.sms[i];
      sm.take(below_[i]->cache);
      sm.cycles = gpu_.sm(static_cast<int>(i)).cycles();
      sm.instructions = gpu_.sm(static_cast<int>(i)).instructions();
    }
    return std::move(result_);
  }

 private:
  std::vector<const golden::CycleL1d*> caches() const {
    std::vector<const golden::CycleL1d*> all;
    for (const auto& one : below_) all.push_back(&one->cache);
    return all;
  }

  hw::L1dParams params_;
  std::unique_ptr<golden::TraceSource> source_;
  golden::FrontEnd gpu_;
  std::vector<std::unique_ptr<Below>> below_;
  RunResult result_;
  ReplicaSamples replicas_;
  TimedDuel duel_;
};

}  // namespace

std::vector<RunResult> explore_timed(const std::vector<Config>& configs, const ExploreRequest& request) {
  std::vector<RunResult> results(configs.size() * request.traces.size());
  Progress progress("explore", "cycles", results.size());
  Workers(threads_of(request)).run(results.size(), [&](size_t i) {
    TimedRun run(configs[i % configs.size()], request.traces[i / configs.size()], request);
    results[i] = run.run([&](std::uint64_t more, double share) { progress.show(i, share, more); });
    progress.show(i, 1, 0);
  });
  return results;
}

}  // namespace gen
