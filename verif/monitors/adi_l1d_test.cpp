// The L1 data cache with the adaptive index in lock step with golden: sel and the monitor's phase in every
// cycle, all that a change of sel meets, and where it goes on ATAX.
#include "gen/paths.h"
#include "verif/l1d/lock_step.h"

namespace {

using verif::lock_step;

const std::string atax = (gen::paths::source() / "verif/traces/atax256_first_warps.rec.xz").string();

// Rounds so short that every event comes many times; T = 2^M.
TEST(L1dAdi, EveryDecisionAndEveryMeetingWithAChange) {
  for (const char* tags : {"conventional", "sectored", "reuse_filter", "split"}) {
    const gen::Config config =
        gen::load_config("l1d_adi", {"adaptive.period=64", "adaptive.counter_bits=6", "adaptive.idle=40",
                                     "counters.enable=true", fmt::format("tags.kind={}", tags)});
    const auto run = lock_step(config, {.random_cycles = verif::full_tier() ? 2'000'000 : 400'000});
    EXPECT_EQ(run.status, 0) << run.report.dump(1);
    for (const char* event :
         {"victimization ends", "selection ends", "idle ends", "victim by entropy", "victim by correlation",
          "a counter wraps at T = 2^M", "winner is the victim, no flush", "winner is another bit",
          "change of sel with a pending line", "fill in the cycle of a change of sel",
          "fill into a line reserved and poisoned by a change", "flush of the core during a change",
          "probe refused by a change, first cycle", "probe refused by a change, second cycle"})
      EXPECT_GT(run.report["coverage"]["counts"].value(event, 0), 0) << event;
  }
}

// Each warp of ATAX reads 32 rows that are 1 KiB apart or more: the rows' address bits distinguish the
// sets.
TEST(L1dAdi, AtaxLeadsItToTheBitsOfItsRows) {
  const std::vector<std::string> quick{"adaptive.period=250", "adaptive.counter_bits=8",
                                       "adaptive.idle=1000"};
  const auto run = lock_step(gen::load_config("l1d_adi", quick), {.traces = {atax}, .coverage = false});
  ASSERT_EQ(run.status, 0);
  const auto& figures = run.report["traces"][0];
  auto sel = figures["adi_history"].back()["sel"].get<std::vector<int>>();
  std::ranges::sort(sel);
  EXPECT_THAT(sel, testing::ElementsAre(14, 15, 16, 17, 18));
  const auto plain = lock_step(gen::load_config("l1d"), {.traces = {atax}, .coverage = false});
  const double conventional = plain.report["traces"][0]["miss_rate"];
  EXPECT_LT(figures["miss_rate"], 0.6 * conventional);
  fmt::print("misses: conventional index {:.1f} %, adaptive {:.1f} %\n", 100 * conventional,
             100 * figures["miss_rate"].get<double>());
}

TEST(L1dAdi, BeginsWithAnything) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    EXPECT_EQ(lock_step(gen::load_config("l1d_adi", {"adaptive.period=16", "adaptive.counter_bits=4",
                                                     "adaptive.idle=0", "index.latency=2"}),
                        {.random_cycles = 20'000, .seed = seed, .coverage = false, .random_initial = true})
                  .status,
              0);
}

}  // namespace
