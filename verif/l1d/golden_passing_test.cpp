// Snoops that pass a request which fails, in the golden cycle model: docs/contracts/l1d.md cycle by cycle.
#include <gmock/gmock.h>

#include "verif/l1d/golden_bench.h"

namespace {

using golden::RequestKind;
using testing::ElementsAre;
using verif::CaseBench;

constexpr std::uint64_t here = 0, missed = 128, waits = 256;  // lines of three sets

// One MSHR entry, so that a second miss fails.
hw::L1dParams one_entry() {
  hw::L1dParams p;
  p.snoops = true;
  p.mshr_entries = 1;
  return p;
}

// What stands in the tag-lookup stage in each of the next cycles: l, s or p; it fires (+), waits (.), fails
// (-), or is parked (>). _ = nothing.
std::string probe_stage(CaseBench& bench, int cycles) {
  std::string seen;
  for (; cycles > 0; --cycles) {
    bench.tick();
    const auto& probe = bench.cache.last_probe();
    if (!probe.occupied) {
      seen += "_ ";
      continue;
    }
    seen += probe.kind == RequestKind::snoop ? 'p' : probe.kind == RequestKind::store ? 's' : 'l';
    const bool fails = golden::is_reservation_fail(probe.stall);
    seen += probe.fired ? "+ " : probe.passed ? "> " : fails ? "- " : ". ";
  }
  return seen;
}

void snoop(CaseBench& bench, std::uint32_t id, std::uint64_t address) {
  bench.offer(RequestKind::snoop, id, address, 15);
}

}  // namespace

TEST(GoldenPassing, OneThatFailsIsDecidedInEveryOtherCycle) {
  CaseBench bench(one_entry());
  bench.bring(here, 7);
  bench.accepted.clear();
  const int start = bench.cycle;
  bench.load(1, missed);
  bench.load(2, waits);
  snoop(bench, 3, here);
  snoop(bench, 4, missed);  // on its way: not found
  snoop(bench, 5, here);
  EXPECT_EQ(probe_stage(bench, 10), "_ l+ l> p+ l> p+ l> p+ l- l- ");
  EXPECT_THAT(bench.accepted, ElementsAre(start, start + 1, start + 2, start + 4, start + 6));
  EXPECT_THAT(bench.answered(), ElementsAre(3, 4, 5));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(bench.answers[i].cycle, start + 4 + 2 * i);
    EXPECT_EQ(bench.answers[i].mask, i == 1 ? 0u : 15u);
    EXPECT_EQ(bench.answers[i].word, i == 1 ? 0u : 7u);
  }
  EXPECT_EQ(bench.cache.counters().reservation_fail_mshr, 5u);

  bench.answer(1, 8);
  EXPECT_EQ(probe_stage(bench, 4), "l- l- l- l+ ");  // its entry is free in the cycle behind the answer
  EXPECT_EQ(bench.cache.entry(0).set, bench.cache.set_of(waits));
  bench.tick(3);
  bench.answer(2, 9);
  bench.tick(6);
  EXPECT_THAT(bench.answered(), ElementsAre(3, 4, 5, 1, 2));
  EXPECT_EQ(bench.answers.back().word, 9u);
  EXPECT_TRUE(bench.cache.idle());
}

TEST(GoldenPassing, OneSetAsideIsNotDecidedWhileTheSnoopWaits) {
  CaseBench bench(one_entry());
  bench.bring(here);
  bench.core_ready = false;
  bench.load(1, missed);
  bench.load(2, waits);
  for (std::uint32_t i = 3; i < 6; ++i) snoop(bench, i, here);
  EXPECT_EQ(probe_stage(bench, 9), "_ l+ l> p+ l> p. p. p. p. ");
  EXPECT_TRUE(bench.cache.aside());
  EXPECT_FALSE(bench.out.core_request_ready);
  EXPECT_FALSE(bench.out.flush_ready);
  EXPECT_EQ(bench.cache.counters().reservation_fail_mshr, 2u);
  bench.answer(1);  // its entry stays, since nobody takes the answer
  bench.core_ready = true;
  EXPECT_EQ(probe_stage(bench, 5), "p. p+ l> p+ l+ ");  // the fill has the snoop's bank; the entry ends in l>
  EXPECT_FALSE(bench.cache.aside());
}

TEST(GoldenPassing, NobodyPassesBeforeAFlush) {
  CaseBench bench(one_entry());
  bench.load(1, missed);
  bench.load(2, waits);
  bench.tick(2);
  bench.flush = true;
  snoop(bench, 3, here);
  EXPECT_EQ(probe_stage(bench, 4), "l- l- l- l- ");
  bench.flush = false;
  EXPECT_EQ(probe_stage(bench, 3), "l> p+ l- ");
}

TEST(GoldenPassing, NobodyPassesWhatWaitsForTheAnswerStage) {
  CaseBench bench(one_entry());
  bench.bring(here);
  bench.core_ready = false;
  bench.load(1, here);
  bench.load(2, here);
  snoop(bench, 3, here);
  EXPECT_EQ(probe_stage(bench, 5), "_ l+ l. l. l. ");
}

TEST(GoldenPassing, LoadsPassNobody) {
  CaseBench bench(one_entry());
  bench.bring(here);
  bench.load(1, missed);
  bench.load(2, waits);
  bench.load(3, here);
  EXPECT_EQ(probe_stage(bench, 5), "_ l+ l- l- l- ");
}

TEST(GoldenPassing, AStorePassedWaitsUntilItsLineIsNotSearchedFor) {
  CaseBench bench(one_entry());
  bench.bring(here);
  bench.controls["searching"] = 1;
  bench.load(1, missed);
  bench.store(2, missed);
  snoop(bench, 3, here);
  EXPECT_EQ(probe_stage(bench, 5), "_ l+ s> p+ s- ");
  EXPECT_EQ(bench.cache.counters().reservation_fail_line, 2u);
  bench.controls["searching"] = 0;
  EXPECT_EQ(probe_stage(bench, 1), "s+ ");
  EXPECT_TRUE(bench.cache.entry(0).poisoned);
}

TEST(GoldenPassing, WithStagesInFrontTheLastOfThemAlonePasses) {
  hw::L1dParams p = one_entry();
  p.index.latency = 2;
  CaseBench bench(p);
  bench.bring(here);
  bench.load(1, missed);
  bench.load(2, waits);
  snoop(bench, 3, here);
  bench.load(4, here);
  snoop(bench, 5, here);
  snoop(bench, 6, here);
  EXPECT_EQ(probe_stage(bench, 10), "_ _ _ l+ l> p+ l- l- l- l- ");
  EXPECT_EQ(bench.accepted.size(), 6u);  // with that of the line brought in: the last snoop has no stage
  EXPECT_FALSE(bench.out.core_request_ready);
}

TEST(GoldenPassing, FromTheRequestSliceTheSnoopInFrontPasses) {
  hw::L1dParams p = one_entry();
  p.request_slice = true;
  CaseBench bench(p);
  bench.bring(here);
  bench.load(1, missed);
  bench.load(2, waits);
  snoop(bench, 3, here);
  bench.load(4, here);
  snoop(bench, 5, here);
  EXPECT_EQ(probe_stage(bench, 9), "_ _ l+ l> p+ l- l- l- l- ");
}

// The index changes at some time while a load fails and snoops pass it, in each of the two cycles between two
// decisions.
TEST(GoldenPassing, OneSetAsideHasItsSetUnderTheNewIndex) {
  hw::L1dParams p = one_entry();
  p.index.kind = hw::IndexKind::adi;
  p.adaptive = {.period = 16, .counter_bits = 8, .idle = 0};
  std::vector<bool> aside_then;
  for (int phase = 0; phase < 2; ++phase) {
    CaseBench bench(p);
    const std::uint64_t far = 37 << 12;  // lines of one set under the first index
    const unsigned before = bench.cache.set_of(far);
    for (std::uint64_t n = 1; n <= 16; ++n) bench.bring(n << 12);
    bench.tick(60);  // a victim is found
    for (std::uint64_t n = 17; n < 32; ++n) bench.bring(n << 12);
    bench.load(1, 32 << 12);  // the last that the choice of a winner takes
    bench.load(2, far);
    bench.tick(4 + phase);
    for (std::uint32_t id = 3; id < 60; ++id) snoop(bench, id, 31 << 12);
    bool changed = false;
    for (int i = 0; i < 60; ++i) {
      const bool aside = bench.cache.aside();
      bench.tick();
      const bool frozen = bench.cache.last_probe().stall == golden::Stall::flush;
      if (frozen && !changed) aside_then.push_back(aside);
      changed |= frozen;
      EXPECT_TRUE(!frozen || bench.cache.aside() == aside);
    }
    ASSERT_TRUE(changed);
    ASSERT_NE(bench.cache.set_of(far), before);
    bench.answer(bench.down.size() - 1);
    bench.tick(20);
    ASSERT_EQ(bench.down.back().address, far);
    EXPECT_EQ(bench.cache.entry(0).set, bench.cache.set_of(far));
  }
  EXPECT_THAT(aside_then, testing::UnorderedElementsAre(false, true));
}
