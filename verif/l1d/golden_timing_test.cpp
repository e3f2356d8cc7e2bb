// The golden cycle model against docs/contracts/l1d.md, cycle by cycle: path, replay, queue, arbitration.
#include <gmock/gmock.h>

#include "verif/l1d/golden_bench.h"

namespace {

using golden::RequestKind, golden::Result, golden::Stall;
using testing::ElementsAre;
using verif::CaseBench;

constexpr std::uint64_t set_stride = 4096;  // of the reference cache

std::vector<int> answer_cycles(const CaseBench& bench) {
  std::vector<int> out;
  for (const auto& answer : bench.answers) out.push_back(answer.cycle);
  return out;
}

TEST(GoldenTiming, HitTakesTwoCyclesAndTheIndexLatency) {
  for (int latency = 0; latency <= 4; ++latency) {
    hw::L1dParams p;
    p.index.latency = latency;
    CaseBench bench(p);
    bench.bring(0x1000, 7);
    bench.load(1, 0x1000, 2);
    bench.tick(10);
    ASSERT_EQ(bench.answers.size(), 1u);
    EXPECT_EQ(bench.answers[0].cycle, bench.accepted.back() + 2 + latency);
    EXPECT_EQ(bench.answers[0].word, 7u);
  }
}

TEST(GoldenTiming, OneHitACycle) {
  hw::L1dParams p;
  p.index.latency = 2;
  CaseBench bench(p);
  for (std::uint64_t way = 0; way < 4; ++way) bench.bring(way * set_stride, way);
  for (std::uint32_t i = 0; i < 20; ++i) bench.load(i, i % 4 * set_stride);
  bench.tick(30);
  ASSERT_EQ(bench.answers.size(), 20u);
  EXPECT_EQ(bench.answers.back().cycle, bench.answers.front().cycle + 19);
  for (const auto& answer : bench.answers) EXPECT_EQ(answer.word, answer.id % 4);
}

TEST(GoldenTiming, MissGoesDownInTheSecondCycleAfterItFired) {
  CaseBench bench({});
  for (std::uint32_t i = 0; i < 4; ++i) bench.load(i, i * 128);
  bench.store(4, 0);
  bench.tick(12);
  ASSERT_EQ(bench.down.size(), 5u);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(bench.down[i].cycle, bench.accepted[i] + 3);
}

TEST(GoldenTiming, FillIsAnsweredThreeCyclesLaterAndThenOneTargetACycle) {
  CaseBench bench({});
  for (std::uint32_t i = 0; i < 3; ++i) bench.load(i, 0);
  bench.tick(8);
  const int filled = bench.cycle;
  bench.answer(0, 5);
  bench.tick(10);
  EXPECT_THAT(bench.answered(), ElementsAre(0, 1, 2));
  EXPECT_THAT(answer_cycles(bench), ElementsAre(filled + 3, filled + 4, filled + 5));
  EXPECT_EQ(bench.cache.counters().hit_pending, 2u);
  EXPECT_TRUE(bench.cache.idle());
}

TEST(GoldenTiming, ReplayTakesEntriesInTurn) {
  CaseBench bench({});
  for (std::uint32_t i = 0; i < 3; ++i) bench.load(i, i * 128);
  bench.tick(8);
  const int filled = bench.cycle;
  for (const size_t n : {2, 1, 0}) bench.answer(n);
  bench.tick(12);
  // Entry 2 is looked at in filled + 2, when the last fill has the banks of its way; by then both others are
  // awake, and entry 0 is next in the ring.
  EXPECT_THAT(bench.answered(), ElementsAre(2, 0, 1));
  EXPECT_THAT(answer_cycles(bench), ElementsAre(filled + 4, filled + 5, filled + 6));
}

TEST(GoldenTiming, ReplayGoesOnBehindTheEntryItTookLast) {
  CaseBench bench({});
  for (std::uint32_t i = 0; i < 4; ++i) bench.load(i, i * 128);
  bench.tick(9);
  bench.core_ready = false;
  for (const size_t n : {1, 2, 0, 3}) bench.answer(n);
  bench.tick(10);  // 1 is in the answer stage, 2 in the replay stage, the others are awake
  bench.core_ready = true;
  bench.tick(6);
  EXPECT_THAT(bench.answered(), ElementsAre(1, 2, 3, 0));
}

TEST(GoldenTiming, HitsAndAcknowledgementsTakeTurns) {
  CaseBench bench({});
  bench.bring(0);
  for (std::uint32_t i = 0; i < 4; ++i) bench.store(10 + i, 0x8000 + i * 128);
  bench.tick(12);
  for (std::uint32_t i = 0; i < 4; ++i) bench.load(i, 0);
  bench.tick(1);
  for (size_t n = 1; n <= 4; ++n) bench.answer(n);
  bench.tick(12);
  // The pointer stood behind the replay that brought the line.
  EXPECT_THAT(bench.answered(), ElementsAre(10, 0, 11, 1, 12, 2, 13, 3));
}

TEST(GoldenTiming, AnswersWaitForTheCore) {
  CaseBench bench({});
  bench.bring(0);
  bench.core_ready = false;
  bench.load(1, 0);
  bench.load(2, 0);
  bench.tick(10);
  EXPECT_TRUE(bench.out.core_response_valid);
  EXPECT_EQ(bench.out.core_response_id, 1u);
  EXPECT_EQ(bench.cache.last_probe().stall, Stall::answer);
  bench.core_ready = true;
  bench.tick(3);
  EXPECT_THAT(bench.answered(), ElementsAre(1, 2));
  EXPECT_EQ(answer_cycles(bench)[1], answer_cycles(bench)[0] + 1);
}

TEST(GoldenTiming, AFillCostsHitsInItsOwnBanksOnly) {
  for (const bool same_chunk : {true, false}) {
    hw::L1dParams p;
    p.tags = hw::TagKind::sectored;
    CaseBench bench(p);
    bench.bring(0, 1, 1);
    bench.load(5, 128, same_chunk ? 1 : 2);  // lies in way 0 of the next set
    bench.tick(6);
    bench.load(6, 0, 1);
    bench.tick(1);
    bench.answer(1);
    bench.tick(1);  // the hit is in the tag-lookup stage, the fill at the port
    EXPECT_EQ(bench.cache.last_probe().fired, !same_chunk);
    if (same_chunk) {
      EXPECT_EQ(bench.cache.last_probe().stall, Stall::bank);
    }
    bench.tick(6);
    EXPECT_EQ(bench.answers.size(), 2u);
  }
}

TEST(GoldenTiming, RequestReadyNeedsNoValidAndFlushStopsIt) {
  CaseBench bench({});
  bench.tick();
  EXPECT_TRUE(bench.out.core_request_ready);
  EXPECT_TRUE(bench.out.flush_ready);
  bench.flush = true;
  bench.load(1, 0);
  bench.tick();
  EXPECT_FALSE(bench.out.core_request_ready);
  EXPECT_TRUE(bench.accepted.empty());
  bench.tick();
  EXPECT_EQ(bench.accepted.size(), 1u);
  bench.flush = true;
  bench.tick();
  EXPECT_FALSE(bench.out.flush_ready);  // the request is in the tag-lookup stage
  bench.tick();
  EXPECT_TRUE(bench.out.flush_ready);
  EXPECT_EQ(bench.cache.counters().flushes, 2u);
}

TEST(GoldenTiming, MemoryIdsNameEntryAndLowestChunk) {
  hw::L1dParams p;
  p.tags = hw::TagKind::sectored;
  p.core_id_bits = 4;  // a fetch needs 5 + 2
  CaseBench bench(p);
  bench.load(1, 0x10080, 4);
  bench.load(2, 0x10000, 12);
  bench.load(3, 0x10080, 2);
  bench.store(4, 0x20013, 1);
  bench.offer(RequestKind::atomic, 5, 0x10080, 1);
  bench.offer(RequestKind::non_l1, 6, 0x10080, 8);
  bench.tick(14);
  std::vector<std::uint64_t> sent;
  for (const auto& down : bench.down) sent.push_back(down.id);
  EXPECT_THAT(sent, ElementsAre(2u << 5 | 0, 2u << 5 | 1, 1u << 5 | 0, 128 | 4, 128 | 5, 128 | 6));
  EXPECT_EQ(bench.down[3].address, 0x20000u);
  EXPECT_EQ(bench.down[2].mask, 2u);
}

TEST(GoldenTiming, QueueHoldsItsNumberWithTheOneAtThePort) {
  hw::L1dParams p;
  p.miss_queue = 2;
  CaseBench bench(p);
  bench.memory_ready = false;
  for (std::uint32_t i = 0; i < 3; ++i) bench.load(i, i * 128);
  bench.tick(12);
  EXPECT_EQ(bench.cache.counters().misses, 2u);
  EXPECT_EQ(bench.cache.last_probe().stall, Stall::queue);
  EXPECT_GT(bench.cache.counters().reservation_fail_queue, 5u);
  bench.memory_ready = true;
  bench.tick(1);  // leaves at the end of this cycle
  EXPECT_FALSE(bench.cache.last_probe().fired);
  bench.tick(1);
  EXPECT_TRUE(bench.cache.last_probe().fired);
}

TEST(GoldenTiming, ResetForgetsAllButTheCounters) {
  CaseBench bench({});
  bench.bring(0);
  bench.load(1, set_stride);
  bench.tick(4);
  golden::L1dIn in{.rst = true, .core_request_valid = true, .core_request_mask = 1};
  bench.cache.outputs(in);
  bench.cache.edge(in);
  EXPECT_TRUE(bench.cache.idle());
  EXPECT_EQ(bench.cache.way(0, 0).valid, 0u);
  EXPECT_EQ(bench.cache.counters().misses, 2u);
  EXPECT_EQ(bench.cache.events(), golden::L1dCounters{});
}

}  // namespace
