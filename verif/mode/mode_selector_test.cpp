// The selector between fine and coarse accesses: its verdicts and its timing on the model, lock step at the
// corners and between, planted faults.
#include "golden/mode/mode_selector.h"

#include "verif/noc/lock_step.h"

namespace {

using golden::ModeCounters, golden::ModeSamplers, golden::ModeSelector;
using Verdict = golden::ModeCounters::Verdict;

std::vector<std::string> selector(int sets, int chunk_bytes, int threshold) {
  return {fmt::format("index.sets={}", sets), fmt::format("geometry.chunk_bytes={}", chunk_bytes),
          fmt::format("mode.threshold={}", threshold)};
}

// `n` misses of this many chunks each; true when the last one shifted.
bool miss(ModeCounters& counters, bool coarse, int n, unsigned chunks) {
  bool shifted = false;
  for (int i = 0; i < n; ++i) shifted = counters.load(coarse, true, chunks);
  return shifted;
}

}  // namespace

TEST(ModeSelector, SamplersAreSpread) {
  const auto roles = [](int sets) {
    const ModeSamplers samplers(sets, {}, {});
    std::string letters;
    for (unsigned s = 0; s < static_cast<unsigned>(sets); ++s)
      letters += ".fc"[static_cast<std::size_t>(samplers[s])];
    return letters;
  };
  EXPECT_EQ(roles(32), "f...c....f...c....f...c....f...c");
  EXPECT_EQ(roles(16), "f.c.f.c.f.c.f.c.");
  EXPECT_EQ(roles(8), "fcfcfcfc");
}

TEST(ModeSelector, TheSmallerProductWins) {
  ModeCounters counters(1024);
  EXPECT_FALSE(miss(counters, false, 1024, 1));
  EXPECT_EQ(counters.fine().misses, 1024);
  EXPECT_EQ(counters.fine().traffic, 2048);
  EXPECT_FALSE(miss(counters, true, 600, 4));
  EXPECT_TRUE(miss(counters, false, 1, 1)) << "1,025 misses";
  EXPECT_EQ(counters.fine().misses, 512) << "shifted";
  EXPECT_EQ(counters.coarse().traffic, 1500);
  EXPECT_EQ(counters.verdict(), Verdict::coarse) << "512 * 1025 > 300 * 1500";
}

TEST(ModeSelector, AModeThatSawNothingCannotWin) {
  ModeCounters counters(1);
  EXPECT_TRUE(miss(counters, true, 2, 4));
  EXPECT_EQ(counters.verdict(), Verdict::stay) << "no load of the fine sets";
  counters.load(false, false, 0);
  EXPECT_TRUE(miss(counters, true, 1, 4));
  EXPECT_EQ(counters.verdict(), Verdict::fine) << "a hit is a load";
  EXPECT_TRUE(miss(counters, true, 1, 4));
  EXPECT_EQ(counters.verdict(), Verdict::stay) << "seen counts from shift to shift";
}

TEST(ModeSelector, ATieChangesNothing) {
  ModeCounters counters(3);
  for (const unsigned chunks : {4u, 4u, 5u}) counters.load(false, true, chunks);
  EXPECT_TRUE(miss(counters, true, 4, 1));
  EXPECT_EQ(counters.fine().misses * counters.fine().traffic, 8) << "1 * 8";
  EXPECT_EQ(counters.coarse().misses * counters.coarse().traffic, 8) << "2 * 4";
  EXPECT_EQ(counters.verdict(), Verdict::stay);
}

// The winner shows 24 cycles behind the shift, unless another shift comes before that.
TEST(ModeSelector, ShowsTheWinner24CyclesLater) {
  const hw::ModeSelectorParams p{.threshold = 2};
  const ModeSelector::In fine{.probe_valid = true, .probe_miss = true, .probe_set = 0, .probe_chunks = 4};
  const ModeSelector::In coarse{.probe_valid = true, .probe_set = 4};
  ModeSelector unit(p);
  for (const auto& in : {coarse, fine, fine, fine}) unit.edge(in);  // the last one in cycle c
  for (int cycle = 1; cycle < 24; ++cycle) {
    EXPECT_FALSE(unit.mode_coarse()) << cycle;
    unit.edge({});
  }
  EXPECT_TRUE(unit.mode_coarse());
  ModeSelector again(p);
  for (const auto& in : {coarse, fine, fine, fine}) again.edge(in);
  again.edge(coarse);
  for (int cycle = 2; cycle < 22; ++cycle) again.edge({});
  again.edge(fine);
  again.edge(fine);  // cycle c + 23
  for (int cycle = 1; cycle < 24; ++cycle) {
    EXPECT_FALSE(again.mode_coarse()) << cycle;
    again.edge({});
  }
  EXPECT_TRUE(again.mode_coarse());
  again.edge({.rst = true});
  EXPECT_FALSE(again.mode_coarse());
}

TEST(ModeSelector, LockStep) {
  const std::int64_t cycles = verif::full_tier() ? 4'000'000 : 400'000;
  verif::expect_same("mode_selector", {}, cycles, verif::fresh_seed(3));
  verif::expect_same("mode_selector", selector(8, 8, 1), cycles, verif::fresh_seed(5));
  verif::expect_same("mode_selector", selector(64, 64, 7), cycles, verif::fresh_seed(7));
  verif::expect_same(
      "mode_selector",
      {"index.sets=16", "mode.fine_sets=[3]", "mode.coarse_sets=[1, 2, 15]", "mode.threshold=40"}, cycles,
      verif::fresh_seed(9));
}
