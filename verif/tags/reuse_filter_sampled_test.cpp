// Random legal L1 data caches with the reuse-count filter in lock step with golden, as many as fit the fast
// tier, and the corners.
#include "verif/l1d/lock_step.h"
#include "verif/parameters/reuse_filter_parameters.h"

TEST(L1dReuseSampled, InLockStepWithGolden) {
  verif::sampled_lock_step(3, 250'000, 20150608, verif::random_reuse_l1d);
}

// All that can be small: one data way, four entries, counts of two bits, one of everything else.
TEST(L1dReuseSampled, SmallestInLockStepWithGolden) {
  hw::L1dParams p{.address_bits = 20,
                  .line_bytes = 32,
                  .chunk_bytes = 32,
                  .capacity_bytes = 1024,
                  .ways = 1,
                  .tags = hw::TagKind::reuse_filter,
                  .reuse = {.ways = 4, .rc_bits = 2, .follow = true},
                  .mshr_entries = 1,
                  .mshr_merges = 1,
                  .miss_queue = 1,
                  .core_id_bits = 1,
                  .counters = true};
  p.index = {.address_bits = 20, .line_bytes = 32, .sets = hw::sets_of(p)};
  const auto run = verif::lock_step(verif::config_of(p, "l1d_reuse_smallest"), {.random_cycles = 250'000});
  EXPECT_EQ(run.status, 0);
}

TEST(L1dReuseSampled, LargestInLockStepWithGolden) {
  hw::L1dParams p{
      .address_bits = 64,
      .line_bytes = 256,
      .chunk_bytes = 8,
      .capacity_bytes = 131072,
      .ways = 16,
      .tags = hw::TagKind::reuse_filter,
      .reuse = {.ways = 32, .threshold = 3, .rc_bits = 8, .tag_victim = hw::TagVictim::dataless_lfu},
      .mshr_entries = 128,
      .mshr_merges = 64,
      .miss_queue = 64,
      .core_id_bits = 32};
  p.index = {.kind = hw::IndexKind::pli, .address_bits = 64, .line_bytes = 256, .sets = hw::sets_of(p)};
  const auto run = verif::lock_step(verif::config_of(p, "l1d_reuse_largest"),
                                    {.random_cycles = 100'000, .coverage = false});
  EXPECT_EQ(run.status, 0);
}
