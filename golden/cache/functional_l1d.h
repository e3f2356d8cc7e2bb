// The untimed L1 data cache: requests strictly in order, every fill immediate. What a parameter set does to
// hit rates and traffic, at tens of millions of requests a second.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "golden/cache/adaptive.h"
#include "golden/cache/l1d_types.h"
#include "golden/cache/store_policy.h"
#include "golden/index/run_time_index.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

class PolicyUnit;

class FunctionalL1d {
 public:
  // Parameters count at run time; they are taken as legal.
  static std::unique_ptr<FunctionalL1d> make(const hw::L1dParams& params);
  virtual ~FunctionalL1d() = default;
  FunctionalL1d(const FunctionalL1d&) = delete;
  FunctionalL1d& operator=(const FunctionalL1d&) = delete;

  // `results` has an element for each request, or is null.
  void access(std::span<const Request> requests, Result* results);
  virtual void flush() = 0;
  // What its controls show from now on, where they are inputs (0 in the beginning).
  virtual void steer(const Controls&) {}
  // Which addresses are cached elsewhere where they are shared; of caches that prefer such victims.
  virtual void know_homes(std::function<bool(std::uint64_t)> /*foreign*/) {}
  // The inputs of its monitors with the next request; a kernel starts at once. As nothing is issued without
  // time, a controller comes no further than to the end of the first round of the adaptive index.
  virtual void notify(const MonitorInputs& inputs);
  // The unit of its policy, if it has one of its own.
  virtual const PolicyUnit* policy_unit() const { return nullptr; }
  // The controls that it decides itself.
  virtual Controls decisions() const { return {}; }
  // Addresses of the lines of which some chunk is present, set by set.
  virtual std::vector<std::uint64_t> resident_lines() const = 0;
  virtual bool holds(std::uint64_t address) const = 0;
  const L1dCounters& counters() const { return counters_; }
  // Loads that probed each set.
  std::span<const std::uint64_t> set_loads() const { return set_loads_; }
  // [n]: lines lost (replaced, invalidated or flushed) of which loads had used n chunks since the allocation.
  // Nothing with split tags, where lines go chunk by chunk, nor with BUCL or protection distances.
  std::span<const std::uint64_t> chunk_use() const { return chunk_use_; }
  // What its monitors have decided.
  virtual std::vector<const History*> histories() const;
  // With the adaptive index.
  AdiEvents adi_events() const { return monitor_ ? monitor_->core().events() : AdiEvents{}; }

 protected:
  explicit FunctionalL1d(const hw::L1dParams& params);

  // What access() says, under an index that stays.
  virtual void serve(std::span<const Request> requests, Result* results) = 0;
  // Serves requests in order, in batches: `serve_batch(batch, blocks, sets, results)` has the block and the
  // set of each request, so that its loop has no division and no choice of index in it.
  template <class ServeBatch>
  void serve_in_batches(std::span<const Request> requests, Result* results, const ServeBatch& serve_batch) {
    constexpr size_t most = 256;
    std::uint64_t blocks[most];
    std::uint32_t sets[most];
    while (!requests.empty()) {
      const auto batch = requests.first(std::min(most, requests.size()));
      index_.with_function([&](auto set_of) {
        for (size_t i = 0; i < batch.size(); ++i) {
          blocks[i] = index_.block_of(batch[i].address);
          sets[i] = set_of(blocks[i]);
        }
      });
      serve_batch(batch, blocks, sets, results);
      requests = requests.subspan(batch.size());
      results += batch.size();
    }
  }
  // Serves a request by its kind: `load()` answers a load, and `change()` is what any other but a snoop or a
  // non-L1 request does to its line.
  template <class Load, class Change>
  Result by_kind(const Request& request, const Load& load, const Change& change) {
    switch (request.kind) {
      case RequestKind::load:
        [[likely]] return load();
      case RequestKind::snoop:
        return snooped(request.address);
      case RequestKind::non_l1:
        ++counters_.non_l1;
        return Result::non_l1;
      default:
        change();
        return changed(request.kind);
    }
  }
  // A store into a line of which these chunks are there: it takes none of them away, and is counted if it
  // writes into some.
  bool only_writes(RequestKind kind, std::uint32_t held, std::uint32_t mask);
  // Counts a request that has changed its line: a store, an atomic or a drop.
  Result changed(RequestKind kind);
  // What a snoop finds; it changes and counts nothing but an access.
  Result snooped(std::uint64_t address) const { return holds(address) ? Result::found : Result::absent; }
  // With a mode selector of its own, else null.
  virtual const History* mode_history() const { return nullptr; }

  RunTimeIndex index_;
  const std::unique_ptr<StorePolicy> stores_;
  L1dCounters counters_;
  std::vector<std::uint64_t> set_loads_, chunk_use_;
  std::vector<size_t> unseen_;  // indices, in what is being served, of loads that were not looked up

 private:
  size_t served_under_one_index(std::span<const Request> requests) const;
  void watch(std::span<const Request> requests, const Result* results);

  std::unique_ptr<UntimedAdaptiveIndex> monitor_;
  bool begins_with_adi_ = false;  // a controller's first phase is a round of it
  std::vector<Result> watched_;
};

}  // namespace golden
