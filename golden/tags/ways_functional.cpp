#include "golden/tags/ways_functional.h"

#include <algorithm>

#include "golden/cache/chunk_count.h"
#include "golden/tags/replacement.h"

namespace golden {
namespace {

// `Ways` 0: as many as the parameters say.
template <int Ways, hw::TagKind Tags, hw::Replacement Policy>
class WaysCore final : public FunctionalL1d {
  static constexpr bool sectored = Tags == hw::TagKind::sectored;

 public:
  explicit WaysCore(const hw::L1dParams& p)
      : FunctionalL1d(p),
        sets_(p),
        line_chunks_(static_cast<unsigned>(hw::chunks_of_line(p))),
        mask_scope_(p.store_scope == hw::StoreScope::mask),
        passes_stalls_(hw::traits_of(p.bypass.kind).instead_of_fail),
        line_(~0u >> (32 - hw::chunks_of_line(p))),
        beside_(p.fetch == hw::FetchSize::line ? line_ : 0) {}

  void flush() override {
    ++counters_.flushes;
    for (unsigned set = 0; set < set_loads_.size(); ++set)
      for (unsigned way = 0; way < sets_.ways(); ++way)
        if (sets_.at(set, way).block != no_block) count_use(sets_.at(set, way));
    sets_.invalidate_all();
  }

  std::vector<std::uint64_t> resident_lines() const override {
    std::vector<std::uint64_t> lines;
    for (unsigned set = 0; set < set_loads_.size(); ++set)
      for (unsigned way = 0; way < sets_.ways(); ++way)
        if (const std::uint64_t block = sets_.at(set, way).block; block != no_block)
          lines.push_back(index_.address_of(block));
    return lines;
  }

  bool holds(std::uint64_t address) const override {
    const std::uint64_t block = index_.block_of(address);
    return sets_.find(index_.set_of(block), block) != sets_.ways();
  }

 private:
  // The counters that only misses move, in registers while a batch is served.
  struct Tally {
    std::uint64_t loads = 0, misses = 0, partial = 0, bypasses = 0;
    std::uint64_t chunks = 0, evicted_lines = 0, evicted_chunks = 0;
  };

  void serve(std::span<const Request> requests, Result* results) override {
    serve_in_batches(requests, results,
                     [&](auto batch, const auto* blocks, const auto* sets, Result* served) {
                       serve_batch(batch, blocks, sets, served);
                     });
  }

  void serve_batch(std::span<const Request> requests, const std::uint64_t* blocks, const std::uint32_t* sets,
                   Result* results) {
    Tally tally;
    for (size_t i = 0; i < requests.size(); ++i) {
      const Request& r = requests[i];
      results[i] = by_kind(
          r, [&] { return load(sets[i], blocks[i], r.mask, r.stalls & passes_stalls_, tally); },
          [&] { change(r.kind, sets[i], blocks[i], r.mask); });
    }
    add(tally, requests.size());
  }

  // `passes`: it goes past the cache if it misses.
  Result load(std::uint32_t set, std::uint64_t block, std::uint32_t mask, bool passes, Tally& tally) {
    ++set_loads_[set];
    ++tally.loads;
    const unsigned found = sets_.find(set, block);
    if (passes && (found == sets_.ways() || (sectored && mask & ~sets_.at(set, found).valid)))
      return bypass(mask, tally);
    if (found == sets_.ways()) {
      Line& line = sets_.replace(set);
      if (line.block != no_block) {
        ++tally.evicted_lines;
        if constexpr (sectored) tally.evicted_chunks += chunk_count(line.valid);
        count_use(line);
      }
      line = {block, mask | beside_, mask};
      ++tally.misses;
      if constexpr (sectored) tally.chunks += chunk_count(line.valid);
      return Result::miss;
    }
    Line& line = sets_.touch(set, found);
    line.used |= mask;
    if constexpr (sectored) {
      const std::uint32_t missed = mask & ~line.valid;
      if (missed) {
        tally.chunks += chunk_count(missed | (beside_ & ~line.valid));
        line.valid |= mask | beside_;
        const bool partial = missed != mask;
        ++(partial ? tally.partial : tally.misses);
        return partial ? Result::partial_miss : Result::miss;
      }
    }
    return Result::hit;
  }

  // MRPB's, in the place of a reservation fail.
  Result bypass(std::uint32_t mask, Tally& tally) {
    ++tally.bypasses;
    counters_.chunks_requested += chunk_count(mask);
    return Result::bypass;
  }

  void change(RequestKind kind, std::uint32_t set, std::uint64_t block, std::uint32_t mask) {
    const unsigned found = sets_.find(set, block);
    if (found == sets_.ways()) return;
    Line& line = sets_.at(set, found);
    if (only_writes(kind, sectored ? line.valid : line_, mask)) return;
    if (sectored && mask_scope_) {
      if (!(line.valid & mask)) return;
      line.valid &= ~mask;
    } else {
      line.valid = 0;
    }
    ++counters_.store_invalidations;
    if (line.valid) return;
    count_use(line);
    sets_.invalidate(set, found);
  }

  void count_use(const Line& line) { ++chunk_use_[chunk_count(line.used)]; }

  void add(const Tally& tally, size_t requests) {
    const std::uint64_t down = tally.misses + tally.partial;
    counters_.accesses += requests;
    counters_.loads += tally.loads;
    counters_.hits += tally.loads - down - tally.bypasses;
    counters_.misses += tally.misses;
    counters_.partial_misses += tally.partial;
    counters_.bypasses += tally.bypasses;
    counters_.bypasses_stall += tally.bypasses;
    counters_.requests_down += down + tally.bypasses;
    counters_.fills += down;
    counters_.chunks_requested += sectored ? tally.chunks : down * line_chunks_;
    counters_.evicted_lines += tally.evicted_lines;
    counters_.evicted_chunks += sectored ? tally.evicted_chunks : tally.evicted_lines * line_chunks_;
  }

  Sets<Ways, Policy> sets_;
  const unsigned line_chunks_;
  const bool mask_scope_, passes_stalls_;
  const std::uint32_t line_;    // all chunks of one
  const std::uint32_t beside_;  // chunks that a miss fetches beside its own, if they are absent
};

template <hw::TagKind Tags, hw::Replacement Policy>
std::unique_ptr<FunctionalL1d> make_ways(const hw::L1dParams& p) {
  switch (p.ways) {
    case 1:
      return std::make_unique<WaysCore<1, Tags, Policy>>(p);
    case 2:
      return std::make_unique<WaysCore<2, Tags, Policy>>(p);
    case 4:
      return std::make_unique<WaysCore<4, Tags, Policy>>(p);
    case 8:
      return std::make_unique<WaysCore<8, Tags, Policy>>(p);
    case 16:
      return std::make_unique<WaysCore<16, Tags, Policy>>(p);
    default:
      return std::make_unique<WaysCore<0, Tags, Policy>>(p);
  }
}

template <hw::TagKind Tags>
std::unique_ptr<FunctionalL1d> make_policy(const hw::L1dParams& p) {
  switch (p.replacement) {
    case hw::Replacement::nru:
      return make_ways<Tags, hw::Replacement::nru>(p);
    case hw::Replacement::srrip:
      return make_ways<Tags, hw::Replacement::srrip>(p);
    case hw::Replacement::random:
      return make_ways<Tags, hw::Replacement::random>(p);
    default:
      return make_ways<Tags, hw::Replacement::lru>(p);
  }
}

}  // namespace

std::unique_ptr<FunctionalL1d> make_functional_ways(const hw::L1dParams& p) {
  return p.tags == hw::TagKind::sectored ? make_policy<hw::TagKind::sectored>(p)
                                         : make_policy<hw::TagKind::conventional>(p);
}

}  // namespace golden
