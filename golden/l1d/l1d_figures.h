// The statistics of one cache in a run of any model: taken from the cache in one function.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "golden/cache/adaptive.h"
#include "golden/cache/functional_l1d.h"
#include "golden/cache/l1d_types.h"
#include "golden/l1d/cycle_l1d.h"

namespace golden {

inline AdiEvents adi_events_of(const FunctionalL1d& cache) { return cache.adi_events(); }
inline AdiEvents adi_events_of(const CycleL1d& cache) {
  const auto* index = cache.monitor<AdaptiveIndex>();
  return index ? index->events() : AdiEvents{};
}

struct L1dFigures {
  L1dCounters counters;
  std::vector<std::uint64_t> set_loads;
  std::vector<std::uint64_t> chunk_use;  // untimed: lines lost by the number of their chunks used
  std::vector<History> histories;        // what its monitors have decided
  AdiEvents adi_events;                  // of an adaptive index

  // Counts of the environment beside them.
  std::array<std::uint64_t, 4> chunks_asked{};             // chunks in the masks of the requests, by kind
  std::array<std::uint64_t, stall_names.size()> stalls{};  // timed: cycles in the tag-lookup stage

  // Takes what the cache itself has kept.
  template <class Cache>
  void collect(const Cache& cache) {
    counters = cache.counters();
    set_loads.assign(cache.set_loads().begin(), cache.set_loads().end());
    if constexpr (requires { cache.chunk_use(); })
      chunk_use.assign(cache.chunk_use().begin(), cache.chunk_use().end());
    for (const History* history : cache.histories()) histories.push_back(*history);
    adi_events = adi_events_of(cache);
  }
};

}  // namespace golden
