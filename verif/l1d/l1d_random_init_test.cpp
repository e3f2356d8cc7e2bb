// The L1 data cache behaves the same from any initial values of its registers, memories and unknowns.
#include "verif/l1d/lock_step.h"

TEST(L1dRandomInit, TenSeedsMakeNoDifference) {
  for (const gen::Config& config : verif::cache_presets())
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
      EXPECT_EQ(
          verif::lock_step(config,
                           {.random_cycles = 20'000, .seed = seed, .coverage = false, .random_initial = true})
              .status,
          0)
          << config.top << ", seed " << seed;
}
