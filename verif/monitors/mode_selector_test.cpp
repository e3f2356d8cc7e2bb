// The selector between fine and coarse accesses: its lookup results and its timing on the model, lock step at
// the corners and between.
#include "golden/monitors/mode_selector.h"

#include "verif/unit_lock_step.h"

namespace {

using golden::ModeCounters, golden::ModeSamplers, golden::ModeSelector;
using Decision = golden::ModeCounters::Decision;

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
  EXPECT_EQ(counters.decision(), Decision::coarse) << "512 * 1025 > 300 * 1500";
}

TEST(ModeSelector, AModeThatSawNothingCannotWin) {
  ModeCounters counters(1);
  EXPECT_TRUE(miss(counters, true, 2, 4));
  EXPECT_EQ(counters.decision(), Decision::stay) << "no load of the fine sets";
  counters.load(false, false, 0);
  EXPECT_TRUE(miss(counters, true, 1, 4));
  EXPECT_EQ(counters.decision(), Decision::fine) << "a hit is a load";
  EXPECT_TRUE(miss(counters, true, 1, 4));
  EXPECT_EQ(counters.decision(), Decision::stay) << "seen counts from shift to shift";
}

TEST(ModeSelector, ATieChangesNothing) {
  ModeCounters counters(3);
  for (const unsigned chunks : {4u, 4u, 5u}) counters.load(false, true, chunks);
  EXPECT_TRUE(miss(counters, true, 4, 1));
  EXPECT_EQ(counters.fine().misses * counters.fine().traffic, 8) << "1 * 8";
  EXPECT_EQ(counters.coarse().misses * counters.coarse().traffic, 8) << "2 * 4";
  EXPECT_EQ(counters.decision(), Decision::stay);
}

namespace {

constexpr ModeSelector::In fine_miss{
    .probe_valid = true, .probe_miss = true, .probe_set = 0, .probe_chunks = 4};
constexpr ModeSelector::In coarse_miss{
    .probe_valid = true, .probe_miss = true, .probe_set = 4, .probe_chunks = 4};
constexpr ModeSelector::In fine_hit{.probe_valid = true, .probe_set = 0};
constexpr ModeSelector::In coarse_hit{.probe_valid = true, .probe_set = 4};

// A shift of the fine sets after which coarse wins: `shift` fine misses, of which the last one shifts.
void coarse_wins(ModeSelector& unit, int misses) {
  unit.edge(coarse_hit);
  for (int i = 0; i < misses; ++i) unit.edge(fine_miss);
  ASSERT_TRUE(unit.shifted());
}

// Cycles until the mode is as wanted, counted from the edge that is past.
int cycles_until(ModeSelector& unit, bool coarse) {
  int cycles = 1;
  for (; unit.mode_coarse() != coarse && cycles < 100; ++cycles) unit.edge({});
  return cycles;
}

}  // namespace

TEST(ModeSelector, ShowsTheWinner24CyclesLater) {
  ModeSelector unit({.threshold = 2});
  coarse_wins(unit, 3);
  EXPECT_EQ(cycles_until(unit, true), 24);
  unit.edge({.rst = true});
  EXPECT_FALSE(unit.mode_coarse());
}

// A shift meanwhile leaves a comparison its values and its time, and is compared after it; of several the
// last.
TEST(ModeSelector, AShiftMeanwhileIsComparedNext) {
  ModeSelector unit({.threshold = 2});
  coarse_wins(unit, 3);  // in cycle c
  unit.edge(fine_hit);
  for (int i = 0; i < 8 && !unit.shifted(); ++i) unit.edge(coarse_miss);  // coarse wins no more
  ASSERT_TRUE(unit.shifted());
  ASSERT_EQ(unit.counters().decision(), Decision::fine);
  const int past = 4;
  EXPECT_EQ(past + cycles_until(unit, true), 24);
  EXPECT_EQ(cycles_until(unit, false), 25) << "24 cycles more";
}

// Misses in every cycle: a shift every few cycles, and the mode follows all the same.
TEST(ModeSelector, ShiftsInAnyRateAreFollowed) {
  for (const int threshold : {1, 2, 8, 40}) {
    ModeSelector unit({.threshold = threshold});
    for (const bool coarse : {true, false, true}) {
      // The mode that is to win hits; the other one misses.
      for (int cycle = 0; cycle < 8 * threshold + 200; ++cycle) {
        const bool hit = cycle % 2;
        unit.edge(hit ? (coarse ? coarse_hit : fine_hit) : (coarse ? fine_miss : coarse_miss));
      }
      EXPECT_EQ(unit.mode_coarse(), coarse) << threshold;
    }
  }
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
