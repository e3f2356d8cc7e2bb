// The presets of the L1 data cache in lock step with golden: every port and the state behind them, under
// random traffic and through a trace.
#include "gen/paths.h"
#include "verif/l1d/lock_step.h"

namespace {

using verif::lock_step;

TEST(L1d, PresetsInLockStepWithGolden) {
  for (const gen::Config& config : verif::cache_presets()) {
    const std::int64_t cycles = verif::cycles_for_goals(config.get<hw::L1dParams>());
    const auto run = lock_step(config, {.random_cycles = verif::full_tier() ? 2'000'000 : cycles});
    EXPECT_EQ(run.status, 0) << config.top;
    // The state was looked at, and the speed measured.
    EXPECT_THAT(run.report.dump(), testing::Not(testing::HasSubstr("ports alone")));
    EXPECT_GT(run.report["counters"]["hits"], 1000);
    EXPECT_GT(run.report["cosim_cycles_per_second"], 0);
  }
}

TEST(L1d, ATraceInLockStepWithGolden) {
  const std::string trace =
      (gen::paths::source() / "verif/traces/streamcluster_two_launches.rec.xz").string();
  for (const gen::Config& config : verif::cache_presets()) {
    const auto run = lock_step(config, {.traces = {trace}, .coverage = false});
    ASSERT_EQ(run.status, 0) << config.top;
    const auto& figures = run.report["traces"][0];
    const auto& counters = figures["counters"];
    // One between two launches, and one for each change of an index that adapts.
    const auto changes = figures.contains("adi_history") ? figures["adi_history"].size() - 1 : 0;
    EXPECT_EQ(counters["flushes"], 1 + changes);
    EXPECT_EQ(counters["loads"], counters["hits"].get<int>() + counters["hit_pending"].get<int>() +
                                     counters["partial_misses"].get<int>() + counters["misses"].get<int>() +
                                     counters["bypasses"].get<int>());
    EXPECT_EQ(counters["fills"].get<int>() + counters["bypasses"].get<int>(), counters["requests_down"]);
    EXPECT_EQ(figures["core_cycles"]["sending"], counters["accesses"]);
  }
}

// The same cycles, with the same result, from the same seed; others from another.
TEST(L1d, ASeedIsARun) {
  const gen::Config config = gen::load_config("l1d");
  const auto cycles = [&](std::uint64_t seed) {
    return lock_step(config, {.random_cycles = 30'000, .seed = seed, .coverage = false})
        .report["counters"]
        .dump();
  };
  EXPECT_EQ(cycles(5), cycles(5));
  EXPECT_NE(cycles(5), cycles(6));
}

}  // namespace
