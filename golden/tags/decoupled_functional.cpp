#include "golden/tags/decoupled_functional.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <type_traits>

#include "golden/cache/chunk_count.h"
#include "golden/cache/functional_find.h"

namespace golden {
namespace {

// Tag j of way w of a set is its number w * tags + j, and lies at position j * ways + w, so that what is done
// to each way is a loop of vectors. `Ways` of a set and `Tags` of a way; 0: as many as the parameters say.
template <class Key, unsigned Ways, unsigned Tags>
class DecoupledCore final : public FunctionalL1d {
  static constexpr unsigned fixed_tags = Ways * Tags;
  static constexpr unsigned most_tags = fixed_tags ? fixed_tags : hw::most_decoupled_entries;
  static constexpr Key no_line = ~Key{0};                                   // the tag stands for none
  using TagBits = std::conditional_t<fixed_tags != 0, Key, std::uint64_t>;  // one bit each

  // Of a tag: which load used it last, and its number in the lowest bits. A tag without a line has its number
  // alone. A rank less than another is that of the tag to prefer for a new line.
  using Rank = std::int32_t;
  static constexpr unsigned number_bits = 6;
  static constexpr Rank numbers = (1 << number_bits) - 1,
                        most_loads = std::numeric_limits<Rank>::max() >> number_bits;
  static_assert(hw::most_decoupled_entries <= numbers + 1);

 public:
  explicit DecoupledCore(const hw::L1dParams& p)
      : FunctionalL1d(p),
        ways_(static_cast<unsigned>(p.ways)),
        tags_of_way_(static_cast<unsigned>(p.decoupled.tags_per_way)),
        by_way_(p.decoupled.victim == hw::DecoupledVictim::way),
        mask_scope_(p.store_scope == hw::StoreScope::mask),
        beside_(p.fetch == hw::FetchSize::line ? ~0u >> (32 - hw::chunks_of_line(p)) : 0),
        sets_(set_loads_.size()) {
    forget_all();
  }

  void flush() override {
    ++counters_.flushes;
    forget_all();
  }

  std::vector<std::uint64_t> resident_lines() const override {
    std::vector<std::uint64_t> lines;
    for (const Set& s : sets_)
      for (unsigned at = 0; at < tags_of_set(); ++at)
        if (s.blocks[at] != no_line) lines.push_back(index_.address_of(s.blocks[at]));
    return lines;
  }

  bool holds(std::uint64_t address) const override {
    const std::uint64_t block = index_.block_of(address);
    return matching(sets_[index_.set_of(block)], block) != 0;
  }

 private:
  struct Set {
    std::array<Key, most_tags> blocks;
    std::array<Rank, most_tags> ranks;
    std::array<std::uint32_t, most_tags> valid;  // chunks that are the line's
  };

  static unsigned lowest(TagBits tags) { return static_cast<unsigned>(std::countr_zero(tags)); }
  unsigned ways() const { return Ways ? Ways : ways_; }
  unsigned tags() const { return Tags ? Tags : tags_of_way_; }
  unsigned tags_of_set() const { return ways() * tags(); }

  Rank number_at(unsigned position) const {
    return static_cast<Rank>(position % ways() * tags() + position / ways());
  }
  unsigned position_of(Rank rank) const {
    const auto n = static_cast<unsigned>(rank & numbers);
    return n % tags() * ways() + n / tags();
  }

  void forget_all() {
    for (Set& s : sets_) {
      s.blocks.fill(no_line);
      s.valid.fill(0);
      for (unsigned at = 0; at < tags_of_set(); ++at) s.ranks[at] = number_at(at);
    }
  }

  // Ranks of few loads in the order that they have.
  void restart_clock() {
    now_ = most_tags;
    for (Set& s : sets_) {
      const std::vector<Rank> before(s.ranks.begin(), s.ranks.begin() + tags_of_set());
      for (unsigned at = 0; at < tags_of_set(); ++at) {
        const auto older = std::ranges::count_if(before, [&](Rank rank) { return rank < before[at]; });
        if (before[at] > numbers) s.ranks[at] = static_cast<Rank>(older + 1) << number_bits | number_at(at);
      }
    }
  }

  // The tag that stands for the block, as a bit of the set's.
  TagBits matching(const Set& s, std::uint64_t block) const {
    const auto matches = [key = static_cast<Key>(block)](Key held) { return held == key; };
    if constexpr (fixed_tags != 0) return entries_where<fixed_tags>(s.blocks.data(), matches);
    TagBits found = 0;
    for (unsigned at = 0; at < tags_of_set(); ++at) found |= TagBits{matches(s.blocks[at])} << at;
    return found;
  }

  void serve(std::span<const Request> requests, Result* results) override {
    serve_in_batches(requests, results,
                     [&](auto batch, const auto* blocks, const auto* sets, Result* served) {
                       serve_batch(batch, blocks, sets, served);
                     });
  }

  void serve_batch(std::span<const Request> requests, const std::uint64_t* blocks, const std::uint32_t* sets,
                   Result* results) {
    if (now_ > most_loads - static_cast<Rank>(requests.size())) restart_clock();
    const std::uint64_t loads = counters_.loads, missed = misses();
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const Request& r = requests[i];
      results[i] = by_kind(
          r, [&] { return load(sets[i], blocks[i], r.mask); },
          [&] { change(r.kind, sets[i], blocks[i], r.mask); });
    }
    const std::uint64_t down = misses() - missed;
    counters_.accesses += requests.size();
    counters_.hits += counters_.loads - loads - down;
    counters_.requests_down += down;
    counters_.fills += down;
  }
  std::uint64_t misses() const { return counters_.misses + counters_.partial_misses; }

  Result load(std::uint32_t set, std::uint64_t block, std::uint32_t mask) {
    ++set_loads_[set];
    ++counters_.loads;
    Set& s = sets_[set];
    const TagBits found = matching(s, block);
    if (!found) return miss(s, block, mask);
    const unsigned at = lowest(found);
    const std::uint32_t valid = s.valid[at], missed = mask & ~valid;
    touch(s, at);
    if (!missed) return Result::hit;
    fetch(s, at, valid, missed);
    ++(missed == mask ? counters_.misses : counters_.partial_misses);
    return missed == mask ? Result::miss : Result::partial_miss;
  }

  Result miss(Set& s, std::uint64_t block, std::uint32_t mask) {
    const std::uint32_t fetched = mask | beside_;
    const unsigned at = by_way_ ? cheapest(s, fetched) : oldest_of_all(s);
    counters_.evicted_lines += s.valid[at] != 0;
    counters_.evicted_chunks += chunk_count(s.valid[at]);
    s.blocks[at] = static_cast<Key>(block);
    touch(s, at);
    fetch(s, at, 0, mask);
    ++counters_.misses;
    return Result::miss;
  }

  void touch(Set& s, unsigned at) { s.ranks[at] = ++now_ << number_bits | (s.ranks[at] & numbers); }

  // The tag gets more chunks, and the other tags of its way lose them.
  void fetch(Set& s, unsigned at, std::uint32_t valid, std::uint32_t missed) {
    const std::uint32_t fetched = missed | (beside_ & ~valid);
    counters_.chunks_requested += chunk_count(fetched);
    s.valid[at] = valid | fetched;
    for (unsigned tag = 1; tag < tags(); ++tag) {
      const unsigned behind = at + tag * ways(),
                     other = behind < tags_of_set() ? behind : behind - tags_of_set();
      const std::uint32_t before = s.valid[other], gone = before & fetched;
      const bool emptied = gone && gone == before;
      counters_.evicted_lines += emptied;
      counters_.evicted_chunks += chunk_count(gone);
      s.valid[other] = before & ~gone;
      s.blocks[other] |= -Key{emptied};
      s.ranks[other] &= numbers | -Rank{!emptied};
    }
  }

  // Each way offers its lowest tag without a line, else the one used longest ago. The way is taken whose
  // loser that was used last was used longest ago, the first of several.
  unsigned cheapest(const Set& s, std::uint32_t fetched) const {
    const unsigned all_ways = ways(), all_tags = tags();
    std::array<Rank, Ways ? Ways : 16> costs{};
#pragma GCC unroll 1
    for (unsigned way = 0; way < all_ways; ++way) {
      Rank oldest = s.ranks[way], losers = 0;
      for (unsigned tag = 0; tag < all_tags; ++tag) {
        const unsigned at = tag * all_ways + way;
        const Rank lost = s.valid[at] & fetched ? s.ranks[at] : 0;
        oldest = s.ranks[at] < oldest ? s.ranks[at] : oldest;
        losers = lost > losers ? lost : losers;
      }
      costs[way] = oldest > losers ? oldest : losers;
    }
    Rank least = costs[0];
    for (unsigned way = 1; way < all_ways; ++way) least = std::min(least, costs[way]);
    const unsigned way = position_of(least) % all_ways;
    Rank oldest = s.ranks[way];
    for (unsigned tag = 1; tag < all_tags; ++tag) oldest = std::min(oldest, s.ranks[tag * all_ways + way]);
    return position_of(oldest);
  }

  // Of all tags the first without a line, else the one used longest ago; tag 0 of each way comes first.
  [[gnu::noinline]] unsigned oldest_of_all(const Set& s) const {
    unsigned best = 0;
    for (unsigned at = 1; at < tags_of_set(); ++at)
      if (s.ranks[at] >> number_bits < s.ranks[best] >> number_bits) best = at;
    return best;
  }

  [[gnu::noinline]] void change(RequestKind kind, std::uint32_t set, std::uint64_t block,
                                std::uint32_t mask) {
    Set& s = sets_[set];
    const TagBits found = matching(s, block);
    const unsigned at = found ? lowest(found) : 0;
    const std::uint32_t valid = found ? s.valid[at] : 0;
    if (only_writes(kind, valid, mask)) return;
    const std::uint32_t lost = valid & (mask_scope_ ? mask : ~0u);
    if (!lost) return;
    ++counters_.store_invalidations;
    s.valid[at] = valid & ~lost;
    if (s.valid[at]) return;
    s.blocks[at] = no_line;
    s.ranks[at] &= numbers;
  }

  const unsigned ways_, tags_of_way_;
  const bool by_way_, mask_scope_;
  const std::uint32_t beside_;  // chunks that a miss fetches beside its own, if they are absent
  Rank now_ = 0;                // counts loads
  std::vector<Set> sets_;
};

template <class Key>
std::unique_ptr<FunctionalL1d> make_decoupled(const hw::L1dParams& p) {
  if (p.ways == 4 && p.decoupled.tags_per_way == 2) return std::make_unique<DecoupledCore<Key, 4, 2>>(p);
  if (p.ways == 4 && p.decoupled.tags_per_way == 4) return std::make_unique<DecoupledCore<Key, 4, 4>>(p);
  if (p.ways == 8 && p.decoupled.tags_per_way == 2) return std::make_unique<DecoupledCore<Key, 8, 2>>(p);
  if (p.ways == 8 && p.decoupled.tags_per_way == 4) return std::make_unique<DecoupledCore<Key, 8, 4>>(p);
  return std::make_unique<DecoupledCore<Key, 0, 0>>(p);
}

}  // namespace

std::unique_ptr<FunctionalL1d> make_functional_decoupled(const hw::L1dParams& p) {
  const int block_bits = p.address_bits - std::countr_zero(static_cast<unsigned>(p.line_bytes));
  return block_bits < 32 ? make_decoupled<std::uint32_t>(p) : make_decoupled<std::uint64_t>(p);
}

}  // namespace golden
