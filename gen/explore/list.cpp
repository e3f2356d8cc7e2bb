// Request lists: served strictly in order by the functional core, every fill immediate.
#include <bit>

#include "gen/explore/banked.h"
#include "gen/explore/progress.h"
#include "gen/explore/workers.h"
#include "golden/trace/request_list.h"

namespace gen {

namespace {

// The caches of one geometry, which read the same requests.
class ListRun {
 public:
  ListRun(const std::vector<Config>& configs, const std::vector<size_t>& members, const std::string& path)
      : members_(members), list_(path, limits(cache_of(configs[members[0]]))) {
    for (const size_t member : members)
      caches_.push_back(functional(configs[member], cache_of(configs[member])));
    timelines_.resize(caches_.size());
  }

  void run(Workers& workers, Progress& progress, std::string* dump) {
    read();
    std::vector<golden::Request> batch;
    std::vector<golden::Result> answers;
    while (!next_.empty()) {
      std::swap(batch, next_);
      if (dump) answers.resize(batch.size());
      workers.run(1 + caches_.size(), [&](size_t part) {
        if (part == 0)
          read();
        else
          serve(part - 1, batch, dump ? answers.data() : nullptr);
      });
      if (dump)
        for (const golden::Result answer : answers) *dump += static_cast<char>(answer);
      progress.show(0, list_.fraction(), batch.size() * caches_.size());
    }
  }

  void finish(std::vector<RunResult>& results) const {
    for (size_t i = 0; i < members_.size(); ++i) {
      SmResult& r = results[members_[i]].sms[0];
      r.timeline = timelines_[i];
      r.take(*caches_[i]);
      r.chunks_asked = asked_;
    }
  }

 private:
  static golden::RequestList::Limits limits(const hw::L1dParams& p) {
    return {.line_bytes = p.line_bytes, .chunk_bytes = p.chunk_bytes, .address_bits = p.address_bits};
  }

  void serve(size_t cache, std::span<const golden::Request> requests, golden::Result* answers) {
    constexpr size_t most = 256;  // between two looks
    for (size_t from = 0; from < requests.size(); from += most) {
      caches_[cache]->access(requests.subspan(from, std::min(most, requests.size() - from)),
                             answers ? answers + from : nullptr);
      timelines_[cache].watch(caches_[cache]->counters());
    }
  }

  void read() {
    next_.clear();
    for (golden::RequestList::Item item; next_.size() < batch_size && list_.next(item);) {
      next_.push_back(item.request);
      asked_[static_cast<size_t>(item.request.kind)] +=
          static_cast<unsigned>(std::popcount(item.request.mask));
    }
  }

  const std::vector<size_t>& members_;
  golden::RequestList list_;
  std::vector<std::unique_ptr<golden::FunctionalL1d>> caches_;
  std::vector<golden::Timeline> timelines_;
  std::vector<golden::Request> next_;
  std::array<std::uint64_t, 4> asked_{};  // chunks, by kind
};

}  // namespace

std::vector<RunResult> explore_list(const std::vector<Config>& configs, const ExploreRequest& request,
                                    std::string* dump) {
  std::vector<RunResult> results;
  for (const Config& config : configs) results.push_back(empty_result(config, request, request.requests));
  Workers workers(threads_of(request));
  Progress progress("explore", "requests", 1);
  for (const auto& group : geometry_groups(configs)) {
    ListRun run(configs, group, request.requests);
    run.run(workers, progress, dump);
    run.finish(results);
  }
  return results;
}

}  // namespace gen
