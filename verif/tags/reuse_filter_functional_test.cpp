// The untimed L1 data cache with the reuse-count filter: cases worked out by hand, a second, plain model, and
// the conventional cache that it is without a filter.
#include <gmock/gmock.h>

#include "golden/cache/functional_l1d.h"
#include "golden/l1d/functional_bench.h"
#include "verif/parameters/reuse_filter_parameters.h"
#include "verif/tags/reuse_filter_reference.h"

namespace {

using golden::FunctionalL1d, golden::Request, golden::RequestKind, golden::Result;
using testing::ElementsAre;

constexpr std::uint64_t set_stride = 4096;  // of the reference cache

hw::L1dParams filtered(int entries, int threshold, hw::TagVictim victim = hw::TagVictim::lfu) {
  hw::L1dParams p;
  p.tags = hw::TagKind::reuse_filter;
  p.reuse.ways = entries;
  p.reuse.threshold = threshold;
  p.reuse.tag_victim = victim;
  return p;
}

// Results of requests to lines of set 0: letters are loads, "!" behind one makes it a store.
class Script {
 public:
  explicit Script(const hw::L1dParams& p) : cache(FunctionalL1d::make(p)) {}

  std::string operator()(std::string_view lines) {
    std::string letters;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const bool store = i + 1 < lines.size() && lines[i + 1] == '!';
      const Request request{.kind = store ? RequestKind::store : RequestKind::load,
                            .mask = 1,
                            .address = static_cast<std::uint64_t>(lines[i] - 'a') * set_stride};
      Result result{};
      cache->access({&request, 1}, &result);
      letters += static_cast<char>(result);
      i += store;
    }
    return letters;
  }
  bool holds(char line) const { return cache->holds(static_cast<std::uint64_t>(line - 'a') * set_stride); }

  std::unique_ptr<FunctionalL1d> cache;
};

TEST(FunctionalReuse, ALineComesWithTheThreshold) {
  EXPECT_EQ(Script(filtered(8, 2))("aaa"), "BMH");
  EXPECT_EQ(Script(filtered(8, 3))("aaaa"), "BBMH");
  EXPECT_EQ(Script(filtered(8, 1))("aa"), "MH");
  EXPECT_EQ(Script(filtered(8, 0))("aa"), "MH");
}

TEST(FunctionalReuse, ABypassTakesItsChunksAlone) {
  Script run(filtered(8, 2));
  EXPECT_EQ(run("ab"), "BB");
  const auto& c = run.cache->counters();
  EXPECT_EQ(c.bypasses, 2u);
  EXPECT_EQ(c.requests_down, 2u);
  EXPECT_EQ(c.chunks_requested, 2u);
  EXPECT_EQ(c.fills, 0u);
  EXPECT_EQ(c.loads, 2u);
  EXPECT_TRUE(run.cache->resident_lines().empty());
  EXPECT_EQ(run("a"), "M");
  EXPECT_EQ(c.requests_down, 3u);
  EXPECT_EQ(c.chunks_requested, 6u);
  EXPECT_EQ(c.fills, 1u);
  EXPECT_TRUE(run.holds('a'));
}

// Entries 4, threshold 3: the count of a is 2, those of b, c and d are 1; b is the lowest of these.
TEST(FunctionalReuse, TheLeastCountedEntryGoes) {
  Script run(filtered(4, 3));
  EXPECT_EQ(run("aabcde"), "BBBBBB");
  EXPECT_EQ(run("a"), "M") << "a kept its count";
  EXPECT_EQ(run("bb"), "BB") << "b was gone and begins again";
}

// The four lines age each other: a was allocated first. The fifth takes the oldest line, which is a's.
TEST(FunctionalReuse, TheOldestLineGoesAndItsCountBecomesZero) {
  Script run(filtered(8, 2));
  EXPECT_EQ(run("aabbccdd"), "BMBMBMBM");
  EXPECT_EQ(run("ee"), "BM");
  EXPECT_EQ(run.cache->counters().evicted_lines, 1u);
  EXPECT_EQ(run.cache->counters().evicted_chunks, 4u);
  EXPECT_FALSE(run.holds('a'));
  // From 0 it takes two loads again, as for a line that was never there.
  EXPECT_EQ(run("aa"), "BM");
}

// Each allocation takes one from the others, also with a free line: b and c wait at 1 for their second load.
TEST(FunctionalReuse, AllocationsAgeTheOthers) {
  Script run(filtered(8, 2));
  EXPECT_EQ(run("bcaa"), "BBBM");
  EXPECT_EQ(run("bb"), "BM") << "aged from 1 to 0";
  EXPECT_EQ(run("cc"), "BM") << "0 stays 0 whatever ages it";
}

// 2 bits count to 3: after many loads of a, three allocations and one more bring it to 0.
TEST(FunctionalReuse, CountsSaturateAndAgeToZero) {
  auto p = filtered(4, 2);
  p.reuse.rc_bits = 2;
  Script run(p);
  EXPECT_EQ(run("aaaaaaaaa"), "BMHHHHHHH");
  EXPECT_EQ(run("bbccdd"), "BMBMBM");  // a is at 0, b and c at 0 and 1
  EXPECT_EQ(run("e"), "B");            // takes a's entry, and so its line
  EXPECT_FALSE(run.holds('a'));
  EXPECT_EQ(run.cache->counters().evicted_lines, 1u);
  EXPECT_EQ(run("e"), "M") << "into the line that a left";
  EXPECT_EQ(run.cache->counters().evicted_lines, 1u);
}

// As above with a filter that spares entries with lines: all four have one, so the oldest line's entry goes.
TEST(FunctionalReuse, EntriesWithoutALineGoFirstIfAsked) {
  auto p = filtered(5, 2, hw::TagVictim::dataless_lfu);
  p.reuse.rc_bits = 2;
  Script run(p);
  EXPECT_EQ(run("aabbccddeeee"), "BMBMBMBMBMHH") << "the fifth takes the line of a";
  EXPECT_EQ(run("f"), "B") << "in the place of a, the only entry without a line";
  for (const char line : {'b', 'c', 'd', 'e'}) EXPECT_TRUE(run.holds(line));
  Script tight(filtered(4, 2, hw::TagVictim::dataless_lfu));
  EXPECT_EQ(tight("aabbccdd"), "BMBMBMBM");
  EXPECT_EQ(tight("bbbae"), "HHHHB");
  EXPECT_FALSE(tight.holds('c')) << "the oldest line";
}

TEST(FunctionalReuse, WithoutAFilterTheFirstLoadAllocates) {
  Script run(filtered(4, 0));
  EXPECT_EQ(run("abcdaaa"), "MMMMHHH");
  EXPECT_EQ(run("e"), "M") << "takes the entry of the least count";
  EXPECT_EQ(run.cache->counters().evicted_lines, 1u);
  EXPECT_TRUE(run.holds('a'));
}

// 8 entries: four lines are there, four were evicted at count 0. The lowest of the least counted has no line.
TEST(FunctionalReuse, AnEntryWithoutALineMayBeTakenForAnAllocation) {
  Script run(filtered(8, 0));
  EXPECT_EQ(run("abcdefgh"), "MMMMMMMM");
  EXPECT_EQ(run.cache->counters().evicted_lines, 4u);
  EXPECT_EQ(run("i"), "M");
  EXPECT_EQ(run.cache->counters().evicted_lines, 5u);
  EXPECT_FALSE(run.holds('e'));
}

TEST(FunctionalReuse, AStoreTakesTheLineAndLeavesTheCount) {
  Script run(filtered(8, 2));
  EXPECT_EQ(run("aaa"), "BMH");
  EXPECT_EQ(run("a!a!"), "ss");
  EXPECT_EQ(run.cache->counters().store_invalidations, 1u);
  EXPECT_FALSE(run.holds('a'));
  EXPECT_EQ(run("a"), "M") << "3 raised to 4";
  EXPECT_EQ(run("b!bb!b"), "sBsM") << "a store of a line that is not there is none of the filter's business";
}

TEST(FunctionalReuse, AFlushForgetsAll) {
  Script run(filtered(8, 2));
  EXPECT_EQ(run("aab"), "BMB");
  run.cache->flush();
  EXPECT_TRUE(run.cache->resident_lines().empty());
  EXPECT_EQ(run("ba"), "BB");
  EXPECT_THAT(run.cache->chunk_use(), ElementsAre(0, 1, 0, 0, 0));
}

golden::Controls filter(bool on) {
  golden::Controls controls;
  controls["filter_enable"] = on;
  return controls;
}

TEST(FunctionalReuse, FollowsItsInput) {
  auto p = filtered(8, 2);
  p.reuse.follow = true;
  Script run(p);
  EXPECT_EQ(run("ab"), "MM");
  run.cache->steer(filter(true));
  EXPECT_EQ(run("acc"), "HBM") << "entries and lines stay";
  run.cache->steer(filter(false));
  EXPECT_EQ(run("dc"), "MH");
}

Request random_request(const hw::L1dParams& p, verif::Draw& draw) {
  Request request{.mask = verif::random_mask(p, draw), .address = verif::random_reuse_address(p, draw)};
  if (draw.percent(10)) request.kind = static_cast<RequestKind>(1 + draw.below(3));
  return request;
}

TEST(FunctionalReuse, EqualsThePlainModel) {
  verif::Draw draw(31);
  golden::L1dCounters all;
  for (int configuration = 0; configuration < 300; ++configuration) {
    const auto p = verif::random_reuse_l1d(draw);
    SCOPED_TRACE(testing::PrintToString(p));
    const auto fast = FunctionalL1d::make(p);
    verif::ReferenceReuse plain(p);
    for (int batch = 0; batch < 40; ++batch) {
      std::vector<Request> requests(draw.below(200));
      std::vector<Result> results(requests.size());
      for (auto& request : requests) request = random_request(p, draw);
      plain.filter_enable = draw.percent(50);
      fast->steer(filter(plain.filter_enable));
      fast->access(requests, results.data());
      for (std::size_t i = 0; i < requests.size(); ++i)
        ASSERT_EQ(results[i], plain.access(requests[i])) << "batch " << batch << " request " << i;
      if (!draw.percent(5)) continue;
      fast->flush();
      plain.flush();
    }
    for (const auto& [name, counter] : golden::counter_names) {
      EXPECT_EQ(fast->counters().*counter, plain.counters.*counter) << name;
      all.*counter += plain.counters.*counter;
    }
    EXPECT_THAT(fast->set_loads(), testing::ElementsAreArray(plain.set_loads));
    EXPECT_THAT(fast->chunk_use(), testing::ElementsAreArray(plain.chunk_use));
    if (HasFailure()) return;
  }
  for (const auto counter : {&golden::L1dCounters::hits, &golden::L1dCounters::misses,
                             &golden::L1dCounters::bypasses, &golden::L1dCounters::evicted_lines,
                             &golden::L1dCounters::store_invalidations, &golden::L1dCounters::flushes})
    EXPECT_GT(all.*counter, 300u);
}

// Threshold 0 or 1, entries without a line first, LRU: what remains is the conventional cache.
TEST(FunctionalReuse, WithoutAFilterItIsTheConventionalCache) {
  verif::Draw draw(37);
  for (const int entries : {4, 8, 16})
    for (const int threshold : {0, 1})
      for (int round = 0; round < 40; ++round) {
        auto p = verif::random_reuse_l1d(draw);
        if (round < 10) p = filtered(entries, threshold);
        while (p.ways > entries || hw::sets_of(p) < 2) p = verif::random_reuse_l1d(draw);
        p.reuse.ways = entries;
        p.reuse.threshold = threshold;
        p.reuse.tag_victim = hw::TagVictim::dataless_lfu;
        p.reuse.follow = false;
        SCOPED_TRACE(testing::PrintToString(p));
        auto conventional = p;
        conventional.tags = hw::TagKind::conventional;
        const auto reuse = FunctionalL1d::make(p), plain = FunctionalL1d::make(conventional);
        for (int i = 0; i < 3'000; ++i) {
          const Request request = random_request(p, draw);
          Result got{}, want{};
          reuse->access({&request, 1}, &got);
          plain->access({&request, 1}, &want);
          ASSERT_EQ(got, want) << i;
          if (draw.below(500) != 0) continue;
          reuse->flush();
          plain->flush();
        }
        EXPECT_EQ(reuse->counters(), plain->counters());
        EXPECT_THAT(reuse->resident_lines(), testing::UnorderedElementsAreArray(plain->resident_lines()));
        if (HasFailure()) return;
      }
}

TEST(FunctionalReuse, Benchmark) {
  const auto speeds = golden::functional_speed(filtered(8, 2), 4);
  EXPECT_LT(speeds[0].hit_rate, 0.01);
  for (const auto& speed : speeds) {
    EXPECT_GT(speed.per_second, 1e6) << speed.pattern;
    std::printf("%-24s %6.1f M/s\n", std::string(speed.pattern).c_str(), speed.per_second / 1e6);
  }
}

}  // namespace
