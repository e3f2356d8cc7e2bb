// The golden cycle model against docs/contracts/l1d.md, case by case: reservations, poisoned and flushed
// entries, sectors, and who wins when two changes meet.
#include <gmock/gmock.h>

#include "verif/l1d/golden_bench.h"

namespace {

using golden::RequestKind, golden::Stall;
using testing::ElementsAre;
using verif::CaseBench;

constexpr std::uint64_t set_stride = 4096;  // of the reference cache

hw::L1dParams sectored() {
  hw::L1dParams p;
  p.tags = hw::TagKind::sectored;
  return p;
}

TEST(GoldenState, PoisonedEntryAnswersItsTargetsAndNobodyElse) {
  CaseBench bench({});
  bench.load(1, 0);
  bench.load(2, 0);
  bench.store(3, 0);
  bench.store(4, 0);
  bench.load(5, 0);
  bench.load(6, 128);  // stands behind it
  bench.tick(12);
  EXPECT_TRUE(bench.cache.entry(0).poisoned);
  EXPECT_EQ(bench.cache.last_probe().stall, Stall::line);
  EXPECT_EQ(bench.cache.counters().doomed, 1u);
  EXPECT_EQ(bench.cache.counters().store_invalidations, 1u);
  EXPECT_EQ(bench.down.size(), 3u);  // one fetch, two stores
  bench.answer(0, 111);
  bench.tick(5);
  EXPECT_EQ(bench.cache.way(0, 0).valid, 0u);
  bench.tick(5);
  ASSERT_EQ(bench.down.size(), 5u);
  bench.answer(3, 222);
  bench.tick(8);
  EXPECT_THAT(bench.answered(), ElementsAre(1, 2, 5));
  EXPECT_EQ(bench.answers[1].word, 111u);
  EXPECT_EQ(bench.answers[2].word, 222u);
  EXPECT_EQ(bench.cache.way(0, 0).valid, 1u);
  EXPECT_EQ(bench.cache.counters().misses, 3u);
}

TEST(GoldenState, AtomicPoisonsTooAndOtherLinesGoOn) {
  CaseBench bench({});
  bench.load(1, 0);
  bench.offer(RequestKind::atomic, 2, 0, 1);
  bench.load(3, 128);
  bench.tick(8);
  EXPECT_TRUE(bench.cache.entry(0).poisoned);
  EXPECT_EQ(bench.down.size(), 3u);
}

TEST(GoldenState, StoreWinsOverTheFillOfTheSameCycle) {
  CaseBench bench({});
  bench.load(1, 0);
  bench.tick(6);
  bench.store(2, 0);
  bench.tick(1);
  bench.answer(0, 9);
  bench.tick(1);
  EXPECT_TRUE(bench.cache.last_probe().fired);
  EXPECT_EQ(bench.cache.events().fills, 1u);
  EXPECT_EQ(bench.cache.way(0, 0).valid, 0u);
  EXPECT_TRUE(bench.cache.entry(0).poisoned);
  bench.tick(8);
  EXPECT_THAT(bench.answered(), ElementsAre(1));
  EXPECT_EQ(bench.answers[0].word, 9u);
}

TEST(GoldenState, FlushedEntryIsFoundByNobody) {
  CaseBench bench({});
  bench.load(1, 0);
  bench.tick(5);
  bench.flush = true;
  bench.tick(1);
  EXPECT_TRUE(bench.cache.entry(0).flushed);
  bench.load(2, 0);
  bench.store(3, 0);
  bench.tick(8);
  EXPECT_TRUE(bench.cache.entry(1).in_use);
  EXPECT_TRUE(bench.cache.entry(1).poisoned);  // and the older one is not
  EXPECT_FALSE(bench.cache.entry(0).poisoned);
  EXPECT_EQ(bench.cache.entry(1).way, 1u);
  bench.answer(1, 222);
  bench.answer(0, 111);
  bench.tick(10);
  EXPECT_THAT(bench.answered(), ElementsAre(2, 1));
  EXPECT_EQ(bench.answers[0].word, 222u);
  EXPECT_EQ(bench.answers[1].word, 111u);
  for (unsigned w = 0; w < 4; ++w) EXPECT_EQ(bench.cache.way(0, w).valid, 0u);
  EXPECT_TRUE(bench.cache.idle());
}

TEST(GoldenState, FlushDropsWhatIsThereAndTheFillOfItsCycle) {
  CaseBench bench({});
  bench.bring(set_stride);
  bench.load(1, 0);
  bench.tick(5);
  bench.flush = true;
  bench.answer(1);
  bench.tick(1);
  EXPECT_EQ(bench.cache.events().fills, 1u);
  EXPECT_EQ(bench.cache.events().flushes, 1u);
  for (unsigned w = 0; w < 4; ++w) EXPECT_EQ(bench.cache.way(0, w).valid, 0u);
  bench.tick(6);
  EXPECT_THAT(bench.answered(), ElementsAre(1));
  EXPECT_TRUE(bench.cache.idle());
}

TEST(GoldenState, MergesIncludeTheFirst) {
  hw::L1dParams p;
  p.mshr_merges = 2;
  CaseBench bench(p);
  for (std::uint32_t i = 0; i < 4; ++i) bench.load(i, 0);
  bench.tick(8);
  EXPECT_EQ(bench.cache.entry(0).count, 2u);
  EXPECT_EQ(bench.cache.last_probe().stall, Stall::merge);
  EXPECT_GT(bench.cache.counters().reservation_fail_merge, 2u);
  bench.answer(0);
  bench.tick(10);
  EXPECT_EQ(bench.answers.size(), 4u);
  EXPECT_EQ(bench.cache.counters().hits, 2u);  // valid after the fill, with any loads waiting
}

TEST(GoldenState, EntriesAndLinesRunOut) {
  hw::L1dParams p;
  p.mshr_entries = 2;
  p.ways = 1;
  p.capacity_bytes = 4096;
  CaseBench bench(p);
  bench.load(0, 0);
  bench.load(1, 128);
  bench.load(2, 256);
  bench.tick(8);
  EXPECT_EQ(bench.cache.last_probe().stall, Stall::mshr);
  bench.answer(0);
  bench.answer(1);
  bench.tick(8);
  EXPECT_EQ(bench.down.size(), 3u);
  bench.load(3, 256 + set_stride);
  bench.tick(4);
  EXPECT_EQ(bench.cache.last_probe().stall, Stall::line);
  bench.load(4, 0);  // behind it, though it would hit
  bench.tick(4);
  EXPECT_EQ(bench.cache.counters().hits, 0u);
}

TEST(GoldenState, LineIsTheFirstCauseThatCounts) {
  hw::L1dParams p;
  p.mshr_entries = 1;
  p.miss_queue = 1;
  p.ways = 1;
  p.capacity_bytes = 4096;
  CaseBench bench(p);
  bench.memory_ready = false;
  bench.load(0, 0);
  bench.load(1, set_stride);
  bench.tick(6);
  EXPECT_EQ(bench.cache.last_probe().stall, Stall::line);
  EXPECT_EQ(bench.cache.counters().reservation_fail_mshr, 0u);
  EXPECT_EQ(bench.cache.counters().reservation_fail_queue, 0u);
}

TEST(GoldenState, SectorsOnTheirWayCountAsPresent) {
  CaseBench bench(sectored());
  bench.load(1, 0, 1);   // MISS, fetches 1
  bench.load(2, 0, 3);   // PARTIAL_MISS, fetches 2
  bench.load(3, 0, 2);   // HIT_PENDING
  bench.load(4, 0, 12);  // MISS of a line that is there: fetches 12, replaces nothing
  bench.tick(12);
  const auto& c = bench.cache.counters();
  EXPECT_EQ(c.misses, 2u);
  EXPECT_EQ(c.partial_misses, 1u);
  EXPECT_EQ(c.hit_pending, 1u);
  ASSERT_EQ(bench.down.size(), 3u);
  EXPECT_EQ(bench.down[1].mask, 2u);
  EXPECT_EQ(bench.down[2].mask, 12u);
  EXPECT_EQ(bench.cache.entry(0).count, 4u);
  EXPECT_EQ(bench.cache.entry(0).pending, 15u);
  bench.answer(1, 22);  // the oldest MSHR target needs the other chunk: nobody is answered
  bench.tick(8);
  EXPECT_TRUE(bench.answers.empty());
  EXPECT_FALSE(bench.cache.entry(0).wake);
  bench.load(5, 0, 2);  // there: a hit, ahead of waiting ones
  bench.tick(4);
  EXPECT_THAT(bench.answered(), ElementsAre(5));
  bench.answer(0, 11);
  bench.tick(8);
  EXPECT_THAT(bench.answered(), ElementsAre(5, 1, 2, 3));
  EXPECT_EQ(bench.answers[3].word, 22u);
  EXPECT_EQ(bench.cache.way(0, 0).valid, 3u);
  EXPECT_TRUE(bench.cache.way(0, 0).busy);
  bench.answer(2, 33);
  bench.tick(8);
  EXPECT_EQ(bench.answered().back(), 4u);
  EXPECT_EQ(bench.cache.way(0, 0).valid, 15u);
  EXPECT_FALSE(bench.cache.way(0, 0).busy);
  EXPECT_EQ(c.evicted_lines, 0u);
}

TEST(GoldenState, ASecondRequestMakesThePresentLineBusy) {
  CaseBench bench(sectored());
  bench.bring(0, 1, 1);
  bench.load(1, 0, 6);
  bench.tick(4);
  EXPECT_EQ(bench.cache.counters().misses, 2u);
  EXPECT_EQ(bench.cache.counters().evicted_lines, 0u);
  EXPECT_EQ(bench.cache.way(0, 0).valid, 1u);
  EXPECT_TRUE(bench.cache.way(0, 0).busy);
  bench.load(2, 0, 3);  // 1 valid, 2 pending
  bench.load(3, 0, 9);
  bench.tick(6);
  EXPECT_EQ(bench.cache.counters().hit_pending, 1u);
  EXPECT_EQ(bench.cache.counters().partial_misses, 1u);
  EXPECT_EQ(bench.down.back().mask, 8u);
}

TEST(GoldenState, AnEntryLivesOnWhenItsLastTargetLeavesAsAnotherComes) {
  CaseBench bench(sectored());
  bench.load(1, 0, 1);
  bench.tick(6);
  const int filled = bench.cycle;
  bench.answer(0);
  bench.tick(1);
  bench.load(2, 0, 2);  // accepted in filled + 1, fires in filled + 2 with the grant of the first
  bench.tick(2);
  EXPECT_TRUE(bench.cache.last_probe().fired);
  EXPECT_TRUE(bench.cache.entry(0).in_use);
  EXPECT_EQ(bench.cache.entry(0).count, 1u);
  EXPECT_EQ(bench.cache.entry(0).head, 1u);
  EXPECT_EQ(bench.cache.entry(0).pending, 2u);
  bench.tick(4);
  ASSERT_EQ(bench.answers.size(), 1u);
  EXPECT_EQ(bench.answers[0].cycle, filled + 3);
  bench.answer(1, 4);
  bench.tick(6);
  EXPECT_EQ(bench.answers.back().word, 4u);
  EXPECT_TRUE(bench.cache.idle());
}

TEST(GoldenState, StoreScopes) {
  for (const auto scope : {hw::StoreScope::line, hw::StoreScope::mask}) {
    hw::L1dParams p = sectored();
    p.store_scope = scope;
    CaseBench bench(p);
    bench.bring(0, 1, 7);
    bench.store(1, 0, 8);
    bench.store(2, 0, 1);
    bench.tick(6);
    const bool line = scope == hw::StoreScope::line;
    EXPECT_EQ(bench.cache.way(0, 0).valid, line ? 0u : 6u);
    EXPECT_EQ(bench.cache.counters().store_invalidations, 1u);
    // With an entry the whole line is poisoned, at any scope.
    bench.load(3, 0, 15);
    bench.store(4, 0, 1);
    bench.tick(6);
    EXPECT_EQ(bench.cache.way(0, 0).valid, 0u);
    EXPECT_EQ(bench.cache.counters().doomed, 1u);
  }
}

}  // namespace
