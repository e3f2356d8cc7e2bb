// Every kind of cache with checks of what memory answers, in lock step under faults of the memory.
#include <gtest/gtest.h>

#include "verif/l1d/lock_step.h"

TEST(AnswerCheckFull, EveryPreset) {
  for (const gen::Config& preset : verif::cache_presets()) {
    const gen::Config config = gen::load_config(preset.preset, {"check.ports=true", "check.timeout=20000"});
    const auto run = verif::lock_step(config, {.random_cycles = 1'000'000, .coverage = false});
    EXPECT_EQ(run.status, 0) << config.top << "\n" << run.report.dump(1);
  }
}
