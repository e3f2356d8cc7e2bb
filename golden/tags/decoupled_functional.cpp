#include "golden/tags/decoupled_functional.h"

#include <algorithm>

#include "golden/cache/chunk_count.h"
#include "golden/tags/replacement.h"

namespace golden {
namespace {

// Tag j of way w of a set is number w * tags + j. `Tags` of a way; 0: as many as the parameters say.
template <unsigned Tags>
class DecoupledCore final : public FunctionalL1d {
 public:
  explicit DecoupledCore(const hw::L1dParams& p)
      : FunctionalL1d(p),
        ways_(static_cast<unsigned>(p.ways)),
        tags_of_way_(static_cast<unsigned>(p.decoupled.tags_per_way)),
        by_way_(p.decoupled.victim == hw::DecoupledVictim::way),
        mask_scope_(p.store_scope == hw::StoreScope::mask),
        beside_(p.fetch == hw::FetchSize::line ? ~0u >> (32 - hw::chunks_of_line(p)) : 0),
        now_(tags_of_set()),
        blocks_(set_loads_.size() * tags_of_set(), no_block),
        touched_(blocks_.size()),
        valid_(blocks_.size()) {
    // As if the tags had been used from the last to the first.
    for (std::size_t n = 0; n < touched_.size(); ++n) touched_[n] = now_ - n % tags_of_set();
  }

  void flush() override {
    ++counters_.flushes;
    std::ranges::fill(blocks_, no_block);
    std::ranges::fill(valid_, 0);
  }

  std::vector<std::uint64_t> resident_lines() const override {
    std::vector<std::uint64_t> lines;
    for (std::size_t first = 0; first < blocks_.size(); first += tags_of_set())
      for (unsigned tag = 0; tag < tags(); ++tag)
        for (unsigned n = tag; n < tags_of_set(); n += tags())
          if (const std::uint64_t block = blocks_[first + n]; block != no_block)
            lines.push_back(index_.address_of(block));
    return lines;
  }

  bool holds(std::uint64_t address) const override {
    const std::uint64_t block = index_.block_of(address);
    return find(index_.set_of(block), block) != tags_of_set();
  }

 private:
  unsigned tags() const { return Tags ? Tags : tags_of_way_; }
  unsigned tags_of_set() const { return ways_ * tags(); }

  // The tag that stands for the block, else tags_of_set().
  unsigned find(std::uint32_t set, std::uint64_t block) const {
    const std::uint64_t* blocks = &blocks_[set * tags_of_set()];
    unsigned n = 0;
    while (n < tags_of_set() && blocks[n] != block) ++n;
    return n;
  }

  void serve(std::span<const Request> requests, Result* results) override {
    serve_in_batches(requests, results,
                     [&](auto batch, const auto* blocks, const auto* sets, Result* served) {
                       for (std::size_t i = 0; i < batch.size(); ++i)
                         served[i] = by_kind(
                             batch[i], [&] { return load(sets[i], blocks[i], batch[i].mask); },
                             [&] { change(batch[i].kind, sets[i], blocks[i], batch[i].mask); });
                     });
    counters_.accesses += requests.size();
  }

  Result load(std::uint32_t set, std::uint64_t block, std::uint32_t mask) {
    ++set_loads_[set];
    ++counters_.loads;
    const std::size_t first = std::size_t{set} * tags_of_set();
    unsigned n = find(set, block);
    const bool found = n != tags_of_set();
    const std::uint32_t valid = found ? valid_[first + n] : 0;
    std::uint32_t missed = mask & ~valid;
    Result result = Result::hit;
    if (missed) {
      result = missed == mask ? Result::miss : Result::partial_miss;
      missed |= beside_ & ~valid;
      if (!found) n = take(first, block, missed);
      overwrite(first, n, missed);
      valid_[first + n] |= missed;
      ++counters_.requests_down;
      ++counters_.fills;
      counters_.chunks_requested += chunk_count(missed);
    }
    touched_[first + n] = ++now_;
    ++(result == Result::hit    ? counters_.hits
       : result == Result::miss ? counters_.misses
                                : counters_.partial_misses);
    return result;
  }

  // A tag for a new line, which loses the line that it stood for.
  unsigned take(std::size_t first, std::uint64_t block, std::uint32_t missed) {
    const unsigned n = by_way_ ? cheapest(first, missed) : oldest_of_all(first);
    if (valid_[first + n]) {
      ++counters_.evicted_lines;
      counters_.evicted_chunks += chunk_count(valid_[first + n]);
    }
    blocks_[first + n] = block;
    valid_[first + n] = 0;
    return n;
  }

  // The others of its way lose these chunks.
  void overwrite(std::size_t first, unsigned n, std::uint32_t missed) {
    const std::size_t way = first + n / tags() * tags();
    for (std::size_t other = way; other < way + tags(); ++other) {
      const std::uint32_t gone = valid_[other] & missed;
      if (other == first + n || !gone) continue;
      counters_.evicted_chunks += chunk_count(gone);
      valid_[other] &= ~gone;
      if (valid_[other]) continue;
      ++counters_.evicted_lines;
      blocks_[other] = no_block;
    }
  }

  // Each way offers its lowest tag without a line, else the one used longest ago. The way is taken whose
  // loser that was used last was used longest ago, the first of several.
  unsigned cheapest(std::size_t first, std::uint32_t missed) const {
    unsigned best = 0;
    std::uint64_t least = ~std::uint64_t{0};
    for (unsigned way = 0; way < ways_ && least; ++way) {
      const std::size_t tag0 = first + way * tags();
      std::size_t offered = tag0;
      std::uint64_t oldest = ~std::uint64_t{0}, losers = 0;
      for (std::size_t n = tag0; n < tag0 + tags(); ++n) {
        const std::uint64_t touched = valid_[n] ? touched_[n] : 0;
        if (touched < oldest) oldest = touched, offered = n;
        losers = std::max(losers, valid_[n] & missed ? touched : 0);
      }
      const std::uint64_t cost = std::max(oldest, losers);
      if (cost >= least) continue;
      least = cost;
      best = static_cast<unsigned>(offered - first);
    }
    return best;
  }

  // Of all tags the first without a line, else the one used longest ago; tag 0 of each way comes first.
  unsigned oldest_of_all(std::size_t first) const {
    unsigned best = 0;
    std::uint64_t oldest = ~std::uint64_t{0};
    for (unsigned tag = 0; tag < tags(); ++tag)
      for (unsigned n = tag; n < tags_of_set(); n += tags()) {
        const std::uint64_t touched = valid_[first + n] ? touched_[first + n] : 0;
        if (touched < oldest) oldest = touched, best = n;
      }
    return best;
  }

  void change(RequestKind kind, std::uint32_t set, std::uint64_t block, std::uint32_t mask) {
    const unsigned n = find(set, block);
    std::uint32_t none = 0;
    std::uint32_t& valid = n == tags_of_set() ? none : valid_[set * tags_of_set() + n];
    if (only_writes(kind, valid, mask)) return;
    const std::uint32_t lost = valid & (mask_scope_ ? mask : ~0u);
    counters_.store_invalidations += lost != 0;
    valid &= ~lost;
    if (lost && !valid) blocks_[set * tags_of_set() + n] = no_block;
  }

  const unsigned ways_, tags_of_way_;
  const bool by_way_, mask_scope_;
  const std::uint32_t beside_;          // chunks that a miss fetches beside its own, if they are absent
  std::uint64_t now_;                   // counts loads
  std::vector<std::uint64_t> blocks_;   // by set and tag; no_block: it stands for no line
  std::vector<std::uint64_t> touched_;  // when a load used it last
  std::vector<std::uint32_t> valid_;    // chunks that are its line's
};

}  // namespace

std::unique_ptr<FunctionalL1d> make_functional_decoupled(const hw::L1dParams& p) {
  switch (p.decoupled.tags_per_way) {
    case 2:
      return std::make_unique<DecoupledCore<2>>(p);
    case 4:
      return std::make_unique<DecoupledCore<4>>(p);
    default:
      return std::make_unique<DecoupledCore<0>>(p);
  }
}

}  // namespace golden
