// Random legal L1 data caches with split tags in lock step with golden, as many as fit the fast tier, and the
// smallest.
#include "verif/l1d/lock_step.h"
#include "verif/parameters/split_parameters.h"

TEST(L1dTscSampled, InLockStepWithGolden) {
  verif::sampled_lock_step(2, 250'000, 20161015, verif::random_split);
}

TEST(L1dTscSampled, UnderTheAdaptiveIndexInLockStepWithGolden) {
  verif::sampled_lock_step(1, 250'000, 20161016,
                           [](verif::Draw& draw) { return verif::random_adaptive_split(draw, 256); });
}

// Two slots of one chunk a line, one of everything else.
TEST(L1dTscSampled, SmallestInLockStepWithGolden) {
  hw::L1dParams p{.address_bits = 20,
                  .line_bytes = 32,
                  .chunk_bytes = 32,
                  .capacity_bytes = 1024,
                  .tags = hw::TagKind::split,
                  .split = {.private_tag_bits = 0, .groups = 2, .chunks_per_group = 1},
                  .replacement = hw::Replacement::nru,
                  .mshr_entries = 1,
                  .mshr_merges = 1,
                  .miss_queue = 1,
                  .core_id_bits = 1,
                  .counters = true};
  p.index = {.address_bits = 20, .line_bytes = 32, .sets = hw::sets_of(p)};
  const auto run = verif::lock_step(verif::config_of(p, "l1d_tsc_smallest"), {.random_cycles = 250'000});
  EXPECT_EQ(run.status, 0) << run.report.dump(1);
}
