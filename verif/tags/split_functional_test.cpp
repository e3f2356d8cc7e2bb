// Untimed split tags against a second, plain model, against the caches that they equal in special cases, and
// against cases worked out by hand for every rule of docs/contracts/l1d-split.md.
#include <gmock/gmock.h>

#include "golden/cache/functional_l1d.h"
#include "golden/l1d/functional_bench.h"
#include "verif/parameters/split_parameters.h"
#include "verif/tags/split_reference.h"

namespace {

using golden::FunctionalL1d, golden::Request, golden::RequestKind, golden::Result;

Request random_request(const hw::L1dParams& p, verif::Draw& draw) {
  Request request{.mask = verif::random_mask(p, draw), .address = verif::random_address(p, draw)};
  if (draw.percent(12)) request.kind = static_cast<RequestKind>(1 + draw.below(3));
  return request;
}

TEST(FunctionalTsc, EqualsThePlainModel) {
  verif::Draw draw(7);
  std::uint64_t evicted = 0;
  int changes = 0;
  for (int configuration = 0; configuration < 150; ++configuration) {
    const auto p = verif::random_split(draw);
    SCOPED_TRACE(testing::PrintToString(p));
    const auto fast = FunctionalL1d::make(p);
    verif::SplitReference plain(p);
    for (int batch = 0; batch < 40; ++batch) {
      std::vector<Request> requests(draw.below(300));  // more than one inner batch, now and then
      std::vector<Result> results(requests.size());
      for (auto& request : requests) request = random_request(p, draw);
      const bool before = plain.coarse;
      fast->access(requests, results.data());
      for (size_t i = 0; i < requests.size(); ++i)
        ASSERT_EQ(results[i], plain.access(requests[i])) << "batch " << batch << " request " << i;
      changes += plain.coarse != before;
      if (p.mode.kind == hw::ModeKind::dueling) {
        ASSERT_EQ(fast->decisions()["mode_coarse"], std::uint64_t{plain.coarse});
      }
      if (!draw.percent(5)) continue;
      fast->flush();
      plain.flush();
    }
    for (const auto& [name, counter] : golden::counter_names)
      ASSERT_EQ(fast->counters().*counter, plain.counters.*counter) << name;
    std::set<std::uint64_t> lines;
    for (const auto& set : plain.sets)
      for (const auto& slot : set)
        if (slot.valid) lines.insert(slot.high << p.split.private_tag_bits | slot.low);
    EXPECT_GE(fast->resident_lines().size(), lines.size());
    evicted += plain.counters.evicted_chunks;
  }
  EXPECT_GT(evicted, 10'000u);
  EXPECT_GT(changes, 10);
}

// The same requests, with the same results.
void expect_same_results(FunctionalL1d& a, FunctionalL1d& b, const hw::L1dParams& p, verif::Draw& draw,
                         std::uint64_t lines = 0) {
  for (int i = 0; i < 4000; ++i) {
    Request request = random_request(p, draw);
    if (lines) request.address = draw.below(lines) * static_cast<std::uint64_t>(p.line_bytes);
    Result first, second;
    a.access({&request, 1}, &first);
    b.access({&request, 1}, &second);
    ASSERT_EQ(first, second) << i;
  }
  for (const auto& [name, counter] : golden::counter_names)
    EXPECT_TRUE(name == "evicted_lines" || a.counters().*counter == b.counters().*counter) << name;
}

// A split cache of as many groups as ways, each as large as a line, without private tags, and the same in
// ways.
std::pair<hw::L1dParams, hw::L1dParams> alike(verif::Draw& draw, int ways) {
  hw::L1dParams p = verif::random_l1d(draw);
  while (hw::chunks_of_line(p) * ways > 64) p = verif::random_l1d(draw);
  p.ways = ways;
  p.capacity_bytes = p.line_bytes * ways * 32;
  p.index = {.address_bits = p.address_bits, .line_bytes = p.line_bytes, .sets = 32};
  p.replacement = hw::Replacement::nru;
  hw::L1dParams split = p;
  split.tags = hw::TagKind::split;
  split.split = {
      .private_tag_bits = 0, .groups = ways, .victim = static_cast<hw::SplitVictim>(draw.below(2))};
  return {p, split};
}

TEST(FunctionalTsc, OneGroupWithoutPrivateTagsIsTheSectoredCache) {
  verif::Draw draw(3);
  for (int i = 0; i < 20; ++i) {
    auto [sectored, split] = alike(draw, 1);
    sectored.tags = hw::TagKind::sectored;
    const auto a = FunctionalL1d::make(sectored), b = FunctionalL1d::make(split);
    expect_same_results(*a, *b, split, draw);
  }
}

TEST(FunctionalTsc, WithoutPrivateTagsItIsTheSectoredCacheUntilSomethingIsReplaced) {
  verif::Draw draw(4);
  for (int i = 0; i < 20; ++i) {
    auto [sectored, split] = alike(draw, draw.between(2, 4));
    sectored.tags = hw::TagKind::sectored;
    const auto a = FunctionalL1d::make(sectored), b = FunctionalL1d::make(split);
    expect_same_results(*a, *b, split, draw, 32u * static_cast<unsigned>(sectored.ways));
    EXPECT_EQ(a->counters().evicted_lines, 0u);
  }
}

TEST(FunctionalTsc, CoarseGroupsWithoutPrivateTagsAreTheConventionalNruCache) {
  verif::Draw draw(5);
  for (int i = 0; i < 20; ++i) {
    auto [conventional, split] = alike(draw, draw.between(2, 4));
    conventional.tags = hw::TagKind::conventional;
    conventional.store_scope = split.store_scope = hw::StoreScope::line;
    split.split.victim = hw::SplitVictim::group;
    split.mode.kind = hw::ModeKind::coarse;
    const auto a = FunctionalL1d::make(conventional), b = FunctionalL1d::make(split);
    expect_same_results(*a, *b, split, draw);
    EXPECT_GT(a->counters().evicted_lines, 0u);
  }
}

// A set of 4 groups of 4, 8-bit private tags, as in the paper; the address of line `l` of set 0 whose shared
// tag is `s`.
constexpr std::uint64_t line(unsigned l, unsigned s = 0) { return (std::uint64_t{s} << 20) | l << 12; }

hw::L1dParams paper(hw::SplitVictim victim = hw::SplitVictim::chunk, int private_bits = 8) {
  hw::L1dParams p;
  p.tags = hw::TagKind::split;
  p.split.victim = victim;
  p.split.private_tag_bits = private_bits;
  return p;
}

class Case {
 public:
  explicit Case(const hw::L1dParams& p) : cache_(FunctionalL1d::make(p)) {}
  char load(std::uint64_t address, std::uint32_t mask) {
    return serve({.kind = RequestKind::load, .mask = mask, .address = address});
  }
  char store(std::uint64_t address, std::uint32_t mask) {
    return serve({.kind = RequestKind::store, .mask = mask, .address = address});
  }
  // Chunks that would hit; looks, and changes nothing that a fresh look would see.
  std::uint64_t evicted() const { return cache_->counters().evicted_chunks; }
  bool holds(std::uint64_t address) const { return cache_->holds(address); }
  const FunctionalL1d& cache() const { return *cache_; }

 private:
  char serve(const Request& request) {
    Result result;
    cache_->access({&request, 1}, &result);
    return static_cast<char>(result);
  }
  std::unique_ptr<FunctionalL1d> cache_;
};

// Rule 1: sixteen lines of one chunk each share the groups of a set.
TEST(FunctionalTsc, ChunksOfManyLinesShareAGroup) {
  Case c(paper());
  for (unsigned l = 0; l < 16; ++l) EXPECT_EQ(c.load(line(l), 1u << l % 4), 'M');
  for (unsigned l = 0; l < 16; ++l) EXPECT_EQ(c.load(line(l), 1u << l % 4), 'H') << l;
  EXPECT_EQ(c.evicted(), 0u);
}

// Rule 2: another shared tag takes a whole group; a fifth has to retag one, which costs all its chunks.
TEST(FunctionalTsc, OtherSharedTagsTakeGroupsOfTheirOwn) {
  Case c(paper(hw::SplitVictim::group));
  for (unsigned s = 0; s < 4; ++s) EXPECT_EQ(c.load(line(0, s), 3), 'M');
  for (unsigned s = 0; s < 4; ++s) EXPECT_EQ(c.load(line(0, s), 3), 'H');
  EXPECT_EQ(c.load(line(0, 4), 1), 'M');  // group 0: all are alike, the lowest
  EXPECT_EQ(c.evicted(), 2u);
  EXPECT_FALSE(c.holds(line(0, 0)));
  for (unsigned s = 1; s < 4; ++s) EXPECT_TRUE(c.holds(line(0, s)));
}

// All tag bits private: nothing is shared, so that no group is ever retagged.
TEST(FunctionalTsc, WithAllTagBitsPrivateNothingIsRetagged) {
  Case c(paper(hw::SplitVictim::chunk, 20));
  for (unsigned s = 0; s < 16; ++s) EXPECT_EQ(c.load(line(0, 3 * s), 1), 'M');
  for (unsigned s = 0; s < 16; ++s) EXPECT_EQ(c.load(line(0, 3 * s), 1), 'H');
  for (unsigned s = 0; s < 5; ++s) {
    EXPECT_EQ(c.load(line(1, 3 * s), 1), 'M');
    EXPECT_EQ(c.evicted(), s + 1u);
  }
}

// Rule 3, chunk: from the LFSR's start in a circle, unused ones first.
TEST(FunctionalTsc, ChunkVictimsGoInACircleFromARandomStart) {
  Case c(paper());
  for (unsigned l = 0; l < 16; ++l) c.load(line(l), 1);  // slot l holds line l; the NRU bits wrapped
  for (unsigned l = 0; l < 3; ++l) c.load(line(l), 1);   // 0, 1, 2 are used
  // 0xACE1 mod 16 = 1: slots 1 and 2 are used, 3 is the first.
  EXPECT_EQ(c.load(line(20), 1), 'M');
  EXPECT_FALSE(c.holds(line(3)));
  // 0x5670 mod 16 = 0: then 4 and 5 are the first two unused.
  EXPECT_EQ(c.load(line(21), 6), 'M');
  EXPECT_FALSE(c.holds(line(4)) || c.holds(line(5)));
  EXPECT_TRUE(c.holds(line(6)) && c.holds(line(0)));
  EXPECT_EQ(c.evicted(), 3u);
}

// A chunk that the load itself uses is no victim of it, other chunks of its line may be.
TEST(FunctionalTsc, PresentChunksAreNoVictims) {
  hw::L1dParams p = paper();
  p.split.groups = 1;  // four slots, 128 sets
  p.index.sets = hw::sets_of(p);
  Case c(p);
  constexpr std::uint64_t stride = 128 * 128;
  c.load(0, 15);  // slots 0 to 3, and the NRU bits wrapped
  c.store(0, 15);
  EXPECT_EQ(c.load(0, 3), 'M');       // slots 0, 1
  EXPECT_EQ(c.load(stride, 3), 'M');  // slots 2, 3; wrapped
  EXPECT_EQ(c.load(0, 13), 'P');      // chunk 0 stays; two slots of 1, 2, 3 from slot 1 on
  EXPECT_EQ(c.load(0, 13), 'H');
  EXPECT_EQ(c.load(0, 2), 'M');
  EXPECT_EQ(c.evicted(), 3u);
}

// A retag frees slots for the other missed chunks before another victim is looked for.
TEST(FunctionalTsc, ARetagServesAllMissedChunks) {
  Case c(paper());
  for (unsigned s = 0; s < 4; ++s) c.load(line(0, s), 15);
  EXPECT_EQ(c.load(line(0, 9), 15), 'M');
  EXPECT_EQ(c.evicted(), 4u);
  unsigned left = 0;
  for (unsigned s = 0; s < 4; ++s) left += c.holds(line(0, s));
  EXPECT_EQ(left, 3u);
}

// Policy group: one that can give all is better than several, and one that matches better than another.
TEST(FunctionalTsc, GroupVictimsComeFromAsFewGroupsAsPossible) {
  Case c(paper(hw::SplitVictim::group));
  for (unsigned l = 0; l < 4; ++l) c.load(line(l), 15);  // all of one shared tag
  EXPECT_EQ(c.load(line(9), 15), 'M');                   // group 0: nothing is used (wrapped), the lowest
  EXPECT_FALSE(c.holds(line(0)));
  EXPECT_EQ(c.load(line(1), 1), 'H');
  EXPECT_EQ(c.load(line(10), 7),
            'M');  // groups 2 and 3 have four unused ones, 1 three: group 2, three chunks
  EXPECT_EQ(c.load(line(2), 15), 'P');
  EXPECT_TRUE(c.holds(line(1)) && c.holds(line(3)));
}

TEST(FunctionalTsc, StoresInvalidateChunksWhereverTheyLie) {
  for (const auto scope : {hw::StoreScope::line, hw::StoreScope::mask}) {
    hw::L1dParams p = paper();
    p.store_scope = scope;
    Case c(p);
    c.load(line(0), 3);
    c.load(line(1), 3);
    c.load(line(0), 12);  // in another group
    c.store(line(0), 5);
    const bool all = scope == hw::StoreScope::line;
    EXPECT_EQ(c.load(line(0), 10), all ? 'M' : 'H');
    EXPECT_EQ(c.load(line(1), 3), 'H');
    EXPECT_EQ(c.cache().counters().store_invalidations, 1u);
  }
}

TEST(FunctionalTsc, CoarseFetchesWhatIsMissedOfTheLine) {
  hw::L1dParams p = paper();
  p.mode.kind = hw::ModeKind::coarse;
  p.store_scope = hw::StoreScope::mask;
  Case c(p);
  EXPECT_EQ(c.load(line(0), 1), 'M');
  EXPECT_EQ(c.load(line(0), 8), 'H');
  c.store(line(0), 2);
  EXPECT_EQ(c.load(line(0), 8), 'P');
  EXPECT_EQ(c.cache().counters().chunks_requested, 5u);
}

// Strided chunks of one line in four: coarse loses. Whole lines, chunk by chunk: fine loses.
TEST(FunctionalTsc, DuelingFindsTheBetterMode) {
  hw::L1dParams p = paper();
  p.mode = {.kind = hw::ModeKind::dueling, .threshold = 16};
  Case c(p);
  for (std::uint64_t i = 0; i < 4000; ++i)
    for (const std::uint32_t chunk : {1u, 2u, 4u, 8u}) c.load(i * 128, chunk);
  EXPECT_TRUE(c.cache().decisions()["mode_coarse"]);
  for (std::uint64_t i = 0; i < 4000; ++i) c.load(i * 128, 1);
  EXPECT_FALSE(c.cache().decisions()["mode_coarse"]);
}

TEST(FunctionalTsc, IsFastEnough) {
  for (const auto& speed : golden::functional_speed(paper(), 2)) {
    RecordProperty(std::string(speed.pattern), std::to_string(speed.per_second));
    EXPECT_GT(speed.per_second, 1e6) << speed.pattern;
  }
}

}  // namespace
