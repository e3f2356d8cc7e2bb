// The golden cycle model with the reuse-count filter alone, in random environment and one request at a time;
// and cases of docs/contracts/l1d-reuse-filter.md worked out by hand.
#include <gmock/gmock.h>

#include "golden/cache/functional_l1d.h"
#include "golden/tags/reuse_filter_tags.h"
#include "verif/l1d/golden_bench.h"
#include "verif/l1d/golden_environment.h"
#include "verif/l1d/golden_one_at_a_time.h"
#include "verif/parameters/reuse_filter_parameters.h"

namespace {

using golden::L1dCounters, golden::Request, golden::RequestKind, golden::ReuseTags, golden::Stall;

verif::Traffic random_traffic(verif::Draw& draw) {
  const auto some = [&] { return static_cast<unsigned>(draw.percent(40) ? 100 : draw.between(10, 100)); };
  return {.request = some(),
          .response_ready = some(),
          .memory_ready = some(),
          .memory_answers = some(),
          .flush = static_cast<unsigned>(draw.between(0, 20)),
          .loads = static_cast<unsigned>(draw.between(40, 100)),
          .latency = static_cast<unsigned>(draw.between(0, 60))};
}

// Stores of some of them update lines.
hw::L1dParams any_stores(verif::Draw& draw) {
  hw::L1dParams p = verif::random_reuse_l1d(draw);
  if (draw.percent(40)) p.store_policy = hw::StorePolicyKind::update;
  return p;
}

TEST(GoldenCycleReuse, AnswersEverythingOnceAndRight) {
  verif::Draw draw(41);
  L1dCounters all;
  std::map<Stall, int> stalls;
  for (int configuration = 0; configuration < 100; ++configuration) {
    const auto p = any_stores(draw);
    SCOPED_TRACE(testing::PrintToString(p));
    verif::GoldenEnvironment environment(p, draw.bits(), random_traffic(draw));
    environment.run(3'000);
    environment.drain();
    const L1dCounters& c = environment.cache.counters();
    EXPECT_EQ(c.accesses, c.loads + c.stores + c.atomics + c.non_l1);
    EXPECT_EQ(c.loads, c.hits + c.hit_pending + c.misses + c.bypasses);
    EXPECT_EQ(c.requests_down, c.misses + c.bypasses);
    EXPECT_EQ(c.fills, c.misses);
    EXPECT_EQ(environment.fetches, c.misses);
    EXPECT_EQ(environment.bypasses, c.bypasses);
    EXPECT_LE(c.evicted_lines, c.loads);
    for (const auto& [name, counter] : golden::counter_names) all.*counter += c.*counter;
    for (const auto& [stall, cycles] : environment.stalls) stalls[stall] += cycles;
    if (HasFailure()) return;
  }
  for (const auto& [name, counter] : golden::counter_names)
    EXPECT_TRUE(name == "partial_misses" || name.starts_with("bypasses_") || all.*counter > 100)
        << name << " never seen";
  for (std::size_t stall = 1; stall < golden::traffic_stalls; ++stall)
    EXPECT_TRUE(stall >= static_cast<std::size_t>(Stall::plan) || stalls[static_cast<Stall>(stall)] > 100)
        << golden::stall_names[stall] << " never seen";
}

TEST(GoldenCycleReuse, CountsLikeTheUntimedCoreWhereTimingCannotMatter) {
  verif::Draw draw(43);
  for (int configuration = 0; configuration < 60; ++configuration) {
    const auto p = any_stores(draw);
    SCOPED_TRACE(testing::PrintToString(p));
    verif::OneAtATime timed(p);
    const auto untimed = golden::FunctionalL1d::make(p);
    for (int i = 0; i < 1'500; ++i) {
      Request request{.mask = verif::random_mask(p, draw), .address = verif::random_reuse_address(p, draw)};
      if (draw.percent(10)) request.kind = static_cast<RequestKind>(1 + draw.below(3));
      timed.controls["filter_enable"] = draw.percent(50);
      untimed->steer(timed.controls);
      timed.serve(request);
      golden::Result result{};
      untimed->access({&request, 1}, &result);
      ASSERT_EQ(timed.cache.counters().hits, untimed->counters().hits) << i;
      ASSERT_EQ(timed.cache.counters().bypasses, untimed->counters().bypasses) << i;
      if (draw.below(300) != 0) continue;
      timed.flush();
      untimed->flush();
    }
    for (const auto& [name, counter] : golden::counter_names)
      EXPECT_EQ(timed.cache.counters().*counter, untimed->counters().*counter) << name;
    EXPECT_THAT(timed.cache.set_loads(), testing::ElementsAreArray(untimed->set_loads()));
    EXPECT_THAT(timed.cache.resident_lines(), testing::UnorderedElementsAreArray(untimed->resident_lines()));
    if (HasFailure()) return;
  }
}

// What must always hold of a set: each line belongs to one entry, and free lines are counted as the
// contract says.
TEST(GoldenCycleReuse, EntriesAndLinesBelongTogether) {
  verif::Draw draw(47);
  for (int configuration = 0; configuration < 20; ++configuration) {
    const auto p = any_stores(draw);
    SCOPED_TRACE(testing::PrintToString(p));
    verif::GoldenEnvironment environment(p, draw.bits(), random_traffic(draw));
    const auto& cache = dynamic_cast<const ReuseTags&>(environment.cache.tags());
    const unsigned limit = (1u << p.reuse.rc_bits) - 1;
    for (int i = 0; i < 400; ++i) {
      environment.run(7);
      for (unsigned set = 0; set < 2; ++set) {
        unsigned owned = 0, orphans = 0;
        std::vector<int> owners(static_cast<std::size_t>(p.ways));
        for (unsigned t = 0; t < static_cast<unsigned>(p.reuse.ways); ++t) {
          const auto entry = cache.tag_entry(set, t);
          EXPECT_LE(entry.rc, limit);
          EXPECT_TRUE(entry.valid || !entry.has_line);
          if (!entry.has_line) continue;
          ++owned;
          EXPECT_EQ(++owners[entry.position], 1);
          const auto way = cache.way(set, entry.position);
          EXPECT_TRUE(way.valid || way.busy);
          EXPECT_EQ(way.busy, entry.waits);
        }
        unsigned free = 0;
        for (unsigned w = 0; w < static_cast<unsigned>(p.ways); ++w) {
          const auto way = cache.way(set, w);
          free += !way.valid && !way.busy;
          orphans += way.busy && !owners[w];
          EXPECT_TRUE(!way.valid || owners[w]) << "a line of nobody";
        }
        EXPECT_EQ(free, static_cast<unsigned>(p.ways) - owned - orphans);
      }
      if (HasFailure()) return;
    }
  }
}

constexpr std::uint64_t set_stride = 4096;  // of the reference cache

hw::L1dParams filtered(int entries, int threshold) {
  hw::L1dParams p;
  p.tags = hw::TagKind::reuse_filter;
  p.reuse.ways = entries;
  p.reuse.threshold = threshold;
  return p;
}

// Lines of set 0, by number.
class Case : public verif::CaseBench {
 public:
  using CaseBench::CaseBench;
  void load_line(unsigned line) { load(line, line * set_stride, 3), tick(4); }
  ReuseTags::TagState entry(unsigned t) const {
    return dynamic_cast<const ReuseTags&>(cache.tags()).tag_entry(0, t);
  }
};

TEST(GoldenCycleReuse, ABypassIsADirectRequest) {
  Case c(filtered(8, 2));
  c.load(5, 7, 3);
  c.tick(6);
  ASSERT_EQ(c.down.size(), 1u);
  EXPECT_EQ(c.down[0].cycle, c.accepted[0] + 3);
  EXPECT_EQ(c.down[0].kind, RequestKind::load);
  EXPECT_EQ(c.down[0].address, 0u);
  EXPECT_EQ(c.down[0].mask, 3u);
  EXPECT_EQ(c.down[0].id, 1u << 8 | 5u);
  EXPECT_EQ(c.entry(0).rc, 1u);
  EXPECT_FALSE(c.entry(0).has_line);
  const int offered = c.cycle;
  c.answer(0, 42);
  c.tick(3);
  ASSERT_EQ(c.answers.size(), 1u);
  EXPECT_EQ(c.answers[0].cycle, offered + 1);
  EXPECT_EQ(c.answers[0].id, 5u);
  EXPECT_EQ(c.answers[0].mask, 3u);
  EXPECT_EQ(c.answers[0].word, 42u);
}

TEST(GoldenCycleReuse, WhenAllEntriesWaitABypassLeavesNoTrace) {
  Case c(filtered(4, 2));
  for (unsigned line = 0; line < 4; ++line) c.load_line(line), c.load_line(line);
  for (unsigned t = 0; t < 4; ++t) EXPECT_TRUE(c.entry(t).waits);
  c.load_line(4);
  EXPECT_EQ(c.cache.counters().bypasses, 5u);
  for (unsigned t = 0; t < 4; ++t) EXPECT_EQ(c.entry(t).tag, t);
}

TEST(GoldenCycleReuse, WithoutAFilterItIsRefused) {
  Case c(filtered(4, 1));
  for (unsigned line = 0; line < 5; ++line) c.load_line(line);
  EXPECT_EQ(c.cache.counters().misses, 4u);
  EXPECT_GT(c.cache.counters().reservation_fail_line, 0u);
  c.answer(0);
  c.tick(8);
  EXPECT_EQ(c.cache.counters().misses, 5u);
  EXPECT_EQ(c.entry(0).tag, 4u);
}

// Four lines are on their way; the fifth has enough requests, but there is no line for it.
TEST(GoldenCycleReuse, ARefusedPromotionChangesNothing) {
  Case c(filtered(8, 2));
  for (unsigned line = 0; line < 4; ++line) c.load_line(line), c.load_line(line);
  c.load_line(4);
  EXPECT_EQ(c.entry(4).rc, 1u);
  const unsigned before = c.entry(3).rc;
  c.load_line(4);
  c.tick(5);
  EXPECT_GT(c.cache.counters().reservation_fail_line, 5u);
  EXPECT_EQ(c.entry(4).rc, 1u);
  EXPECT_EQ(c.entry(3).rc, before);
  c.answer(1);
  c.tick(8);
  EXPECT_EQ(c.entry(4).rc, 2u);
  EXPECT_TRUE(c.entry(4).waits);
  EXPECT_EQ(c.entry(3).rc, before - 1) << "aged";
  EXPECT_EQ(c.entry(0).rc, 0u) << "lost its line";
  EXPECT_FALSE(c.entry(0).has_line);
}

TEST(GoldenCycleReuse, APoisonedLineLeavesItsEntry) {
  Case c(filtered(8, 2));
  c.load_line(0), c.load_line(0);
  c.store(9, 0);
  c.tick(4);
  EXPECT_TRUE(c.entry(0).waits);
  EXPECT_EQ(c.cache.counters().doomed, 1u);
  c.answer(1);
  c.tick(8);
  EXPECT_TRUE(c.entry(0).valid);
  EXPECT_FALSE(c.entry(0).has_line);
  EXPECT_EQ(c.entry(0).rc, 2u);
  c.load_line(0);
  EXPECT_EQ(c.cache.counters().misses, 2u) << "promoted at once";
}

}  // namespace
