// The golden cycle model's replacement state against docs/contracts/l1d.md: ages, NRU bits, RRPVs, LFSR.
#include <gmock/gmock.h>

#include "verif/l1d/golden_bench.h"

namespace {

using golden::Stall;
using testing::ElementsAre;
using verif::CaseBench;

constexpr std::uint64_t set_stride = 4096;  // of the reference cache

std::uint16_t stepped(std::uint16_t state) {
  const int in = (state ^ state >> 2 ^ state >> 3 ^ state >> 5) & 1;
  return static_cast<std::uint16_t>(state >> 1 | in << 15);
}

TEST(GoldenReplacement, LruAges) {
  CaseBench bench({});
  const auto ages = [&] {
    std::vector<unsigned> out;
    for (unsigned w = 0; w < 4; ++w) out.push_back(bench.cache.way(0, w).order);
    return out;
  };
  EXPECT_THAT(ages(), ElementsAre(0, 1, 2, 3));
  for (std::uint64_t way = 0; way < 4; ++way) bench.bring(way * set_stride);
  EXPECT_THAT(ages(), ElementsAre(3, 2, 1, 0));
  bench.load(1, set_stride);
  bench.load(2, 4 * set_stride);
  bench.tick(6);
  EXPECT_THAT(ages(), ElementsAre(0, 1, 3, 2));
  EXPECT_EQ(bench.cache.way(0, 0).tag, 4u);
  bench.load(3, 4 * set_stride);  // the youngest already
  bench.tick(3);
  EXPECT_EQ(bench.cache.counters().hit_pending, 1u);
  EXPECT_THAT(ages(), ElementsAre(0, 1, 3, 2));
  EXPECT_EQ(bench.cache.tags().lfsr(), 0xACE1);
  EXPECT_EQ(bench.cache.counters().evicted_lines, 1u);
  EXPECT_EQ(bench.cache.counters().evicted_chunks, 4u);
}

TEST(GoldenReplacement, EveryLoadThatFiresTouchesAndNoStore) {
  CaseBench bench({});
  bench.load(1, 0);
  bench.load(2, set_stride);
  bench.tick(4);
  EXPECT_EQ(bench.cache.way(0, 0).order, 1u);
  bench.load(3, 0);  // HIT_PENDING
  bench.store(4, set_stride);
  bench.tick(4);
  EXPECT_EQ(bench.cache.way(0, 0).order, 0u);
  EXPECT_EQ(bench.cache.way(0, 1).order, 1u);
}

TEST(GoldenReplacement, NruWrapsAndTakesTheLowestWhenNoneIsUnused) {
  hw::L1dParams p;
  p.replacement = hw::Replacement::nru;
  CaseBench bench(p);
  const auto bits = [&] {
    std::vector<unsigned> out;
    for (unsigned w = 0; w < 4; ++w) out.push_back(bench.cache.way(0, w).order);
    return out;
  };
  for (std::uint64_t way = 0; way < 3; ++way) bench.bring(way * set_stride);
  EXPECT_THAT(bits(), ElementsAre(1, 1, 1, 0));
  bench.bring(3 * set_stride);
  EXPECT_THAT(bits(), ElementsAre(0, 0, 0, 0));
  bench.load(9, set_stride);
  bench.load(1, 4 * set_stride);  // way 0 is busy now
  bench.load(2, 2 * set_stride);
  bench.tick(6);
  EXPECT_THAT(bits(), ElementsAre(1, 1, 1, 0));
  bench.load(3, 5 * set_stride);  // way 3, which wraps
  bench.load(4, set_stride);
  bench.load(5, 2 * set_stride);
  bench.tick(6);
  EXPECT_THAT(bits(), ElementsAre(0, 1, 1, 0));
  bench.load(6, 6 * set_stride);  // of ways 1 and 2 none is unused: the lowest
  bench.tick(6);
  EXPECT_EQ(bench.cache.way(0, 1).tag, 6u);
}

TEST(GoldenReplacement, RrpvsRiseAsFarAsTheVictimLacks) {
  hw::L1dParams p;
  p.replacement = hw::Replacement::srrip;
  CaseBench bench(p);
  const auto rrpvs = [&] {
    std::vector<unsigned> out;
    for (unsigned w = 0; w < 4; ++w) out.push_back(bench.cache.way(0, w).order);
    return out;
  };
  const auto load = [&](std::uint32_t id, std::uint64_t line) {
    bench.load(id, line * set_stride);
    bench.tick(6);
  };
  EXPECT_THAT(rrpvs(), ElementsAre(3, 3, 3, 3));
  bench.bring(0);
  EXPECT_THAT(rrpvs(), ElementsAre(2, 3, 3, 3)) << "an invalid way was free: no other RRPV changes";
  for (std::uint64_t way = 1; way < 4; ++way) bench.bring(way * set_stride);
  EXPECT_THAT(rrpvs(), ElementsAre(2, 2, 2, 2));
  load(1, 1);
  EXPECT_THAT(rrpvs(), ElementsAre(2, 0, 2, 2));
  load(2, 4);  // of three ways with 2 the lowest; all rise by 1
  EXPECT_THAT(rrpvs(), ElementsAre(2, 1, 3, 3));
  EXPECT_EQ(bench.cache.way(0, 0).tag, 4u);
  load(3, 5);  // a way has 3: none rises
  EXPECT_THAT(rrpvs(), ElementsAre(2, 1, 2, 3));
  load(4, 4);  // HIT_PENDING
  EXPECT_THAT(rrpvs(), ElementsAre(0, 1, 2, 3));
  load(5, 6);
  EXPECT_THAT(rrpvs(), ElementsAre(0, 1, 2, 2));
  load(6, 7);  // way 1 alone is not busy: all rise by 2, and stay at 3
  EXPECT_THAT(rrpvs(), ElementsAre(2, 2, 3, 3));
  EXPECT_EQ(bench.cache.way(0, 1).tag, 7u);
  load(7, 8);  // all ways are busy
  EXPECT_EQ(bench.cache.last_probe().stall, Stall::line);
  EXPECT_THAT(rrpvs(), ElementsAre(2, 2, 3, 3));
}

TEST(GoldenReplacement, StoresAndFlushesLeaveRrpvs) {
  hw::L1dParams p;
  p.replacement = hw::Replacement::srrip;
  CaseBench bench(p);
  const auto rrpvs = [&] {
    std::vector<unsigned> out;
    for (unsigned w = 0; w < 4; ++w) out.push_back(bench.cache.way(0, w).order);
    return out;
  };
  for (std::uint64_t way = 0; way < 4; ++way) bench.bring(way * set_stride);
  bench.load(1, 2 * set_stride);
  bench.tick(6);
  bench.store(2, 2 * set_stride);
  bench.tick(6);
  EXPECT_EQ(bench.cache.way(0, 2).valid, 0u);
  EXPECT_THAT(rrpvs(), ElementsAre(2, 2, 0, 2));
  bench.bring(4 * set_stride);  // into the invalid way, of any RRPV
  EXPECT_EQ(bench.cache.way(0, 2).tag, 4u);
  EXPECT_THAT(rrpvs(), ElementsAre(2, 2, 2, 2));
  bench.load(3, 3 * set_stride);
  bench.tick(6);
  bench.flush = true;
  bench.tick();
  bench.flush = false;
  EXPECT_EQ(bench.cache.way(0, 3).valid, 0u);
  EXPECT_THAT(rrpvs(), ElementsAre(2, 2, 2, 0));
}

TEST(GoldenReplacement, LfsrStepsWithEachRandomVictim) {
  hw::L1dParams p;
  p.replacement = hw::Replacement::random;
  CaseBench bench(p);
  for (std::uint64_t way = 0; way < 4; ++way) bench.bring(way * set_stride);
  EXPECT_EQ(bench.cache.tags().lfsr(), 0xACE1);
  bench.load(1, 4 * set_stride);  // 0xACE1 mod 4 = 1
  bench.tick(5);
  EXPECT_EQ(bench.cache.way(0, 1).tag, 4u);
  EXPECT_EQ(bench.cache.tags().lfsr(), 0x5670);
  bench.load(2, 5 * set_stride);  // 0x5670 mod 3 = 0 of ways 0, 2, 3
  bench.tick(5);
  EXPECT_EQ(bench.cache.way(0, 0).tag, 5u);
  bench.load(3, 6 * set_stride);
  bench.load(4, 7 * set_stride);  // the last candidate costs a step too
  bench.load(5, 8 * set_stride);  // none is left: no step
  bench.tick(8);
  EXPECT_EQ(bench.cache.last_probe().stall, Stall::line);
  EXPECT_EQ(bench.cache.tags().lfsr(), stepped(stepped(stepped(0x5670))));
}

TEST(GoldenReplacement, RandomVictimIsTheStateModuloTheCandidates) {
  hw::L1dParams p;
  p.replacement = hw::Replacement::random;
  CaseBench bench(p);
  std::uint64_t line = 0;
  for (; line < 4; ++line) bench.bring(line * set_stride);
  std::uint16_t state = 0xACE1;
  for (int round = 0; round < 20; ++round) {
    std::vector<unsigned> candidates{0, 1, 2, 3};
    const size_t first = bench.down.size();
    for (int busy = 0; busy < 3; ++busy, ++line) {
      const auto chosen = candidates.begin() + state % static_cast<int>(candidates.size());
      bench.load(1, line * set_stride);
      bench.tick(5);
      EXPECT_EQ(bench.cache.way(0, *chosen).tag, line) << round;
      candidates.erase(chosen);
      state = stepped(state);
    }
    for (size_t n = first; n < first + 3; ++n) bench.answer(n);
    bench.tick(12);
    ASSERT_TRUE(bench.cache.idle());
  }
  EXPECT_EQ(bench.cache.tags().lfsr(), state);
}

}  // namespace
