#include "golden/tags/reuse_filter_functional.h"

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>

#include "golden/cache/chunk_count.h"
#include "golden/cache/functional_find.h"

namespace golden {

// The loops for one shape of a set.
class FunctionalReuse::Sets {
 public:
  virtual ~Sets() = default;
  virtual void serve_batch(std::span<const Request> requests, const std::uint64_t* blocks,
                           const std::uint32_t* sets, Result* results) = 0;
  virtual void flush() = 0;
  virtual std::vector<std::uint64_t> resident_lines() const = 0;
  virtual bool holds(std::uint32_t set, std::uint64_t block) const = 0;
};

// `Entries` and `Ways` of a set; 0: as many as the parameters say.
template <class Key, unsigned Entries, unsigned Ways>
class FunctionalReuse::SetsOf final : public Sets {
  static constexpr unsigned most_entries = Entries ? Entries : 32, most_ways = Ways ? Ways : 16;
  static constexpr Key no_block = ~Key{0};
  static constexpr std::uint8_t none = 0xff;                               // a way that no line lies in
  using EntryBits = std::conditional_t<Entries != 0, Key, std::uint64_t>;  // one bit an entry

  // Of an entry: 0 if it is empty, else 1 + its reuse count, and its number in the lowest bits. So the least
  // is the one to take.
  using Count = std::int16_t;
  static constexpr unsigned entry_bits = 5;
  static constexpr Count one = 1 << entry_bits, has_line = 1 << 14;
  static Count count(unsigned reuses, unsigned entry) {
    return static_cast<Count>((reuses + 1) << entry_bits | entry);
  }

  // Of a way: which load used it last, and its number in the lowest bits. A free way has its number alone.
  static constexpr unsigned way_bits = 4;

  struct Set {
    std::array<Key, most_entries> blocks;
    std::array<Count, most_entries> counts;
    std::array<std::uint8_t, most_entries> ways;  // with their lines, or none
    std::array<std::uint64_t, most_ways> touched;
    std::array<std::uint32_t, most_ways> used;   // chunks that loads requested since the allocation
    std::array<std::uint8_t, most_ways> owners;  // entries whose lines they hold
  };

 public:
  SetsOf(FunctionalReuse& cache, const hw::L1dParams& p)
      : cache_(cache),
        entries_(static_cast<unsigned>(p.reuse.ways)),
        ways_(static_cast<unsigned>(p.ways)),
        chunks_(static_cast<unsigned>(hw::chunks_of_line(p))),
        threshold_(static_cast<unsigned>(p.reuse.threshold)),
        most_(count((1u << p.reuse.rc_bits) - 1, 0)),
        dataless_first_(p.reuse.tag_victim == hw::TagVictim::dataless_lfu),
        follows_(p.reuse.follow),
        sets_(cache.set_loads_.size()) {
    forget_all();
  }

  void serve_batch(std::span<const Request> requests, const std::uint64_t* blocks, const std::uint32_t* sets,
                   Result* results) override {
    // Reuses from which on an entry gets a line.
    const unsigned enough = threshold_ >= 2 && (!follows_ || cache_.enabled_) ? threshold_ : 0;
    const L1dCounters before = cache_.counters_;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const Request& r = requests[i];
      results[i] = cache_.by_kind(
          r, [&] { return load(sets[i], blocks[i], r.mask, enough); },
          [&] { change(r.kind, sets[i], blocks[i], r.mask); });
    }
    L1dCounters& now = cache_.counters_;
    const std::uint64_t misses = now.misses - before.misses, down = misses + now.bypasses - before.bypasses;
    now.accesses += requests.size();
    now.hits += now.loads - before.loads - down;
    now.requests_down += down;
    now.fills += misses;
    now.chunks_requested += misses * chunks_;
    now.evicted_chunks += (now.evicted_lines - before.evicted_lines) * chunks_;
  }

  void flush() override {
    for (const Set& s : sets_)
      for (unsigned w = 0; w < ways(); ++w)
        if (s.touched[w] >> way_bits) ++cache_.chunk_use_[chunk_count(s.used[w])];
    forget_all();
  }

  std::vector<std::uint64_t> resident_lines() const override {
    std::vector<std::uint64_t> lines;
    for (const Set& s : sets_)
      for (unsigned e = 0; e < entries(); ++e)
        if (s.ways[e] != none) lines.push_back(cache_.index_.address_of(s.blocks[e]));
    return lines;
  }

  bool holds(std::uint32_t set, std::uint64_t block) const override {
    const EntryBits found = matching(sets_[set], block);
    return found && sets_[set].ways[lowest(found)] != none;
  }

 private:
  static unsigned lowest(EntryBits entries) { return static_cast<unsigned>(std::countr_zero(entries)); }
  unsigned entries() const { return Entries ? Entries : entries_; }
  unsigned ways() const { return Ways ? Ways : ways_; }

  void forget_all() {
    for (Set& s : sets_) {
      s.blocks.fill(no_block);
      s.ways.fill(none);
      for (unsigned e = 0; e < entries(); ++e) s.counts[e] = static_cast<Count>(e);
      for (unsigned w = 0; w < ways(); ++w) s.touched[w] = w;
    }
  }

  EntryBits matching(const Set& s, std::uint64_t block) const {
    const auto matches = [key = static_cast<Key>(block)](Key held) { return held == key; };
    if constexpr (Entries != 0) return entries_where<Entries>(s.blocks.data(), matches);
    EntryBits found = 0;
    for (unsigned e = 0; e < entries(); ++e) found |= EntryBits{matches(s.blocks[e])} << e;
    return found;
  }

  Result load(std::uint32_t set, std::uint64_t block, std::uint32_t mask, unsigned enough) {
    ++cache_.counters_.loads;
    ++cache_.set_loads_[set];
    ++now_;
    Set& s = sets_[set];
    const EntryBits found = matching(s, block);
    if (!found) {
      const unsigned e = entry_to_take(s);
      if (s.ways[e] != none) lose_line(s, e, cache_.counters_.evicted_lines);
      s.blocks[e] = static_cast<Key>(block);
      return enough > 1 ? bypass(s, e, count(1, e), mask) : allocate(s, e, count(1, e), mask);
    }
    const unsigned e = lowest(found), w = s.ways[e];
    const auto reuses = static_cast<Count>(s.counts[e] + (s.counts[e] < most_ ? one : 0));
    if (w == none)
      return reuses < count(enough, 0) ? bypass(s, e, reuses, mask) : allocate(s, e, reuses, mask);
    s.counts[e] = reuses;
    s.touched[w] = now_ << way_bits | w;
    s.used[w] |= mask;
    return Result::hit;
  }

  Result bypass(Set& s, unsigned entry, Count reuses, std::uint32_t mask) {
    s.counts[entry] = reuses;
    ++cache_.counters_.bypasses;
    cache_.counters_.chunks_requested += chunk_count(mask);
    return Result::bypass;
  }

  // A line for the entry; all others of the set age, the one that loses its line to 0. Single counts are
  // written last: a vector read behind them would wait for them.
  Result allocate(Set& s, unsigned entry, Count reuses, std::uint32_t mask) {
    const unsigned number = entries();
    for (unsigned e = 0; e < number; ++e)
      s.counts[e] = static_cast<Count>(s.counts[e] - (s.counts[e] >= 2 * one ? one : 0));
    s.counts[entry] = reuses;
    const unsigned w = oldest_way(s);
    if (s.touched[w] >> way_bits) {
      const unsigned loser = s.owners[w];
      lose_line(s, loser, cache_.counters_.evicted_lines);
      s.counts[loser] = count(0, loser);
    }
    s.ways[entry] = static_cast<std::uint8_t>(w);
    s.owners[w] = static_cast<std::uint8_t>(entry);
    s.touched[w] = now_ << way_bits | w;
    s.used[w] = mask;
    ++cache_.counters_.misses;
    return Result::miss;
  }

  [[gnu::noinline]] void change(RequestKind kind, std::uint32_t set, std::uint64_t block,
                                std::uint32_t mask) {
    if (!holds(set, block) || cache_.only_writes(kind, ~0u, mask)) return;
    lose_line(sets_[set], lowest(matching(sets_[set], block)), cache_.counters_.store_invalidations);
  }

  void lose_line(Set& s, unsigned entry, std::uint64_t& lost) {
    const unsigned w = s.ways[entry];
    ++lost;
    ++cache_.chunk_use_[chunk_count(s.used[w])];
    s.touched[w] = w;
    s.ways[entry] = none;
  }

  // An empty one, else that with the least count; without a line, if those go first and there are any.
  unsigned entry_to_take(const Set& s) const {
    if (dataless_first_) return dataless_entry(s);
    const unsigned number = entries();
    Count least = s.counts[0];
    for (unsigned e = 0; e < number; ++e) least = s.counts[e] < least ? s.counts[e] : least;
    return number_of(least);
  }
  static unsigned number_of(Count count) { return static_cast<unsigned>(count) % one; }

  [[gnu::noinline]] unsigned dataless_entry(const Set& s) const {
    Count least = has_line;
    for (unsigned e = 0; e < entries(); ++e)
      if (s.ways[e] == none) least = std::min(least, s.counts[e]);
    return least == has_line ? s.owners[oldest_way(s)] : number_of(least);
  }

  // A free one if there is any.
  unsigned oldest_way(const Set& s) const {
    std::uint64_t oldest = s.touched[0];
    for (unsigned w = 1; w < ways(); ++w) oldest = std::min(oldest, s.touched[w]);
    return static_cast<unsigned>(oldest) % (1 << way_bits);
  }

  FunctionalReuse& cache_;
  const unsigned entries_, ways_, chunks_, threshold_;
  const Count most_;  // that an entry counts
  const bool dataless_first_, follows_;
  std::uint64_t now_ = 0;  // counts loads
  std::vector<Set> sets_;
};

template <class Key>
std::unique_ptr<FunctionalReuse::Sets> FunctionalReuse::make_sets(const hw::L1dParams& p) {
  if (p.ways == 4 && p.reuse.ways == 8) return std::make_unique<SetsOf<Key, 8, 4>>(*this, p);
  if (p.ways == 4 && p.reuse.ways == 16) return std::make_unique<SetsOf<Key, 16, 4>>(*this, p);
  if (p.ways == 8 && p.reuse.ways == 16) return std::make_unique<SetsOf<Key, 16, 8>>(*this, p);
  return std::make_unique<SetsOf<Key, 0, 0>>(*this, p);
}

FunctionalReuse::FunctionalReuse(const hw::L1dParams& p)
    : FunctionalL1d(p),
      sets_(index_.block_bits() < 32 ? make_sets<std::uint32_t>(p) : make_sets<std::uint64_t>(p)) {}

FunctionalReuse::~FunctionalReuse() = default;

void FunctionalReuse::serve(std::span<const Request> requests, Result* results) {
  serve_in_batches(requests, results, [&](auto batch, const auto* blocks, const auto* sets, Result* served) {
    sets_->serve_batch(batch, blocks, sets, served);
  });
}

void FunctionalReuse::flush() {
  ++counters_.flushes;
  sets_->flush();
}

std::vector<std::uint64_t> FunctionalReuse::resident_lines() const { return sets_->resident_lines(); }

bool FunctionalReuse::holds(std::uint64_t address) const {
  const std::uint64_t block = index_.block_of(address);
  return sets_->holds(index_.set_of(block), block);
}

}  // namespace golden
