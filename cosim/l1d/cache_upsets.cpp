#include "cosim/l1d/cache_upsets.h"

#include <algorithm>
#include <array>
#include <utility>

namespace verif {

void CacheUpsets::add(const hw::L1dParams& params, const SeenState& state, const std::string& path,
                      golden::CycleL1d& golden, std::uint64_t seed) {
  caches_.push_back({golden, state.rams_below(path)});
  protects_rows_ |= hw::protects_mshr(params.ecc);
  Cache& cache = caches_.back();
  cache.upsets = std::make_unique<L1dUpsets>(params, params.ecc, cache.rams, golden, seed);
}

// What cannot be corrected resets all: most of the time nothing flips, so that traffic goes on.
void CacheUpsets::cycle() {
  if (!std::exchange(begun_, true)) return;
  if (protects_rows_ && (cycles_++ >> window_bits) % windows != 0) return;
  for (const Cache& cache : caches_) cache.upsets->cycle();
}

void CacheUpsets::watch() {
  for (const Cache& cache : caches_) cache.upsets->watch(cache.golden.shown());
  const bool stuck = std::ranges::any_of(caches_, [](const Cache& cache) { return cache.golden.stuck(); });
  stuck_ = stuck ? stuck_ + 1 : 0;
}

void CacheUpsets::each_late(const std::function<void(std::uint64_t id)>& see) const {
  for (const Cache& cache : caches_) {
    const golden::Recovery* const recovery = cache.golden.recovery();
    if (recovery && cache.golden.shown().ecc_uncorrectable && recovery->fetches() && recovery->first().late)
      see(recovery->first().id);
  }
}

// What comes seldom is a goal of caches alone.
Goals CacheUpsets::goals() const {
  static constexpr std::array met{"hit with wrong data", "load with wrong data that fetches again",
                                  "load with corrected data", "line whose tag is wrong",
                                  "snoop of a line with wrong data"};
  Goals sum;
  for (const Cache& cache : caches_)
    for (const auto& [goal, count] : cache.upsets->goals()) {
      if (std::ranges::count(met, goal)) sum[goal] += count;
      if (!goal.starts_with("row of ")) continue;
      if (goal.ends_with("that was corrected")) sum["row that was corrected"] += count;
      if (goal.ends_with("that stays")) sum["row that stays"] += count;
    }
  return sum;
}

}  // namespace verif
