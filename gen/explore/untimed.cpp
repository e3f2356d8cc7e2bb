// Untimed runs: every SM with the functional core of its cache, whose misses hold the warps back.
#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <utility>

#include "gen/explore/banked.h"
#include "gen/explore/dueling.h"
#include "gen/explore/explore.h"
#include "gen/explore/policy_unit.h"
#include "gen/explore/progress.h"
#include "gen/explore/workers.h"
#include "golden/gpu/front_end.h"
#include "golden/trace/open/open_trace.h"

namespace gen {

namespace {

constexpr std::uint64_t sample_requests = 8192;  // an SM sends between two looks at what the caches hold
class UntimedRun {
 public:
  UntimedRun(const Config& config, const std::string& trace, const ExploreRequest& request)
      : params_(cache_of(config)),
        source_(golden::open_trace(trace)),
        gpu_(*source_, gpu_params(params_, request)),
        result_(empty_result(config, request, trace)),
        duel_(params_),
        sources_(params_),
        next_sample_(sample_requests * static_cast<std::uint64_t>(request.sms)) {
    for (int i = 0; i < request.sms; ++i)
      add_cache(config, untimed_follower(cache_of_sm(params_, i), i, request.sms));
    const auto watched =
        std::ranges::find_if(caches_, [](const auto& cache) { return cache->policy_unit(); });
    if (watched != caches_.end()) watched_ = watched->get();
    if (watched_) steer();
  }

  // What the front end asks of its caches.
  void flush() {
    for (const auto& cache : caches_) cache->flush();
  }
  void kernel_starts() {
    golden::MonitorInputs inputs;
    inputs["kernel_start"] = 1;
    for (const auto& cache : caches_) cache->notify(inputs);
  }
  bool access(int sm, std::span<const golden::Request> requests) {
    const auto at = static_cast<size_t>(sm);
    answers_.resize(requests.size());
    if (watched_ == caches_[at].get()) {
      golden::MonitorInputs inputs;
      drive_sms(inputs, gpu_, static_cast<int>(caches_.size()), sources_);
      watched_->notify(inputs);
    }
    caches_[at]->access(requests, answers_.data());
    duel_.note(at, answers_);
    result_.sms[at].timeline.watch(caches_[at]->counters());
    if (!steered_.empty()) steer();
    requests_ += requests.size();
    if (requests[0].kind == golden::RequestKind::load)
      result_.sms[at].widths.take(requests.size(), result_.mshr_entries);
    auto& asked = result_.sms[at].chunks_asked[static_cast<size_t>(requests[0].kind)];
    bool waits = false;
    for (size_t i = 0; i < requests.size(); ++i) {
      asked += static_cast<unsigned>(std::popcount(requests[i].mask));
      waits |= answers_[i] != golden::Result::hit;
    }
    return waits;
  }

  // `watch` is called now and then with the number of new requests, and the share of the trace that has been
  // read.
  template <class Watch>
  RunResult run(Watch&& watch) {
    for (std::uint64_t watched = 0; gpu_.round(*this);) {
      if (requests_ >= next_sample_) sample();
      if (requests_ - watched < watch_requests) continue;
      watch(requests_ - watched, source_->fraction());
      watched = requests_;
    }
    sample();
    if (caches_.size() > 1) result_.mean_replicas = replicas_.mean();
    result_.duel = duel_.result();
    for (size_t i = 0; i < caches_.size(); ++i) {
      SmResult& sm = result_.sms[i];
      sm.take(*caches_[i]);
      sm.instructions = gpu_.sm(static_cast<int>(i)).instructions();
    }
    return std::move(result_);
  }

 private:
  void add_cache(const Config& config, const hw::L1dParams& p) {
    caches_.push_back(functional(config, p));
    if (hw::is_steered(p)) steered_.push_back({caches_.back().get(), static_cast<int>(caches_.size()) - 1});
  }

  struct Steered {
    golden::FunctionalL1d* cache;
    int sm;
    golden::Controls shown = {};
  };

  // What cache 0, the duel and the cache with its policy's unit decide goes to all others.
  void steer() {
    golden::Controls now = caches_[0]->decisions();
    duel_.drive(now);
    for (Steered& steered : steered_) {
      if (watched_) watched_->policy_unit()->drive(now, steered.sm);
      if (std::exchange(steered.shown, now) != now) steered.cache->steer(now);
    }
  }

  void sample() {
    next_sample_ += sample_requests * caches_.size();
    if (caches_.size() > 1) replicas_.take(caches_);
  }

  const hw::L1dParams params_;
  std::unique_ptr<golden::TraceSource> source_;
  golden::FrontEnd gpu_;
  std::vector<std::unique_ptr<golden::FunctionalL1d>> caches_;
  std::vector<golden::Result> answers_;
  RunResult result_;
  ReplicaSamples replicas_;
  UntimedDuel duel_;
  const golden::MonitorSources sources_;
  std::vector<Steered> steered_;              // caches of which some control is an input
  golden::FunctionalL1d* watched_ = nullptr;  // by the unit of its policy
  std::uint64_t requests_ = 0, next_sample_;
};

}  // namespace

std::vector<RunResult> explore_untimed(const std::vector<Config>& configs, const ExploreRequest& request) {
  std::vector<RunResult> results(configs.size() * request.traces.size());
  Progress progress("explore --untimed", "requests", results.size());
  Workers(threads_of(request)).run(results.size(), [&](size_t i) {
    UntimedRun run(configs[i % configs.size()], request.traces[i / configs.size()], request);
    results[i] = run.run([&](std::uint64_t more, double share) { progress.show(i, share, more); });
    progress.show(i, 1, 0);
  });
  return results;
}

}  // namespace gen
