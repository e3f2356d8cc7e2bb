// Random legal configurations of the L1 data cache in lock step with golden, as many as fit the fast tier.
#include "gen/config/catalogue.h"
#include "verif/l1d/lock_step.h"

TEST(L1dSampled, InLockStepWithGolden) { verif::sampled_lock_step(4, 250'000, 20240611); }

// The corners: all that can be 1 is 1, and all that can be large is.
TEST(L1dSampled, SmallestInLockStepWithGolden) {
  hw::L1dParams p{.address_bits = 20,
                  .line_bytes = 32,
                  .chunk_bytes = 32,
                  .capacity_bytes = 1024,
                  .ways = 1,
                  .replacement = hw::Replacement::nru,
                  .mshr_entries = 1,
                  .mshr_merges = 1,
                  .miss_queue = 1,
                  .core_id_bits = 1,
                  .counters = true};
  p.index = {.address_bits = 20, .line_bytes = 32, .sets = hw::sets_of(p)};
  EXPECT_EQ(verif::lock_step(verif::config_of(p, "l1d_smallest"), {.random_cycles = 250'000}).status, 0);
}

// Shapes at which a part of the MSHR file goes: a line of one sector, one entry, one MSHR target an entry.
TEST(L1dSampled, EdgesOfTheMshrFileInLockStepWithGolden) {
  using Settings = std::vector<std::string>;
  for (const Settings& settings :
       {Settings{"tags.kind=sectored", "geometry.line_bytes=64", "geometry.chunk_bytes=64"},
        Settings{"tags.kind=reuse_filter", "mshr.entries=1"}, Settings{"mshr.entries=1", "ecc.mshr=parity"},
        Settings{"mshr.entries=5", "mshr.merges=1"}}) {
    const auto run =
        verif::lock_step(gen::load_config("l1d", settings), {.random_cycles = 30'000, .coverage = false});
    EXPECT_EQ(run.status, 0) << run.report.dump(1);
  }
}

TEST(L1dSampled, LargestInLockStepWithGolden) {
  const auto run =
      verif::lock_step(verif::config_of(verif::largest_l1d(), "l1d_largest"), {.random_cycles = 500'000});
  EXPECT_EQ(run.status, 0) << run.report.dump(1);
}
