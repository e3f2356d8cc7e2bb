// L1 data caches with split tags in lock step with golden, every event reached: the preset's shape with each
// choice of its keys. The presets themselves are in l1d_test.
#include "verif/l1d/lock_step.h"

namespace {

void expect_same(const std::vector<std::string>& settings) {
  const gen::Config config = gen::load_config("l1d_tsc", settings);
  const auto run = verif::lock_step(config, {.random_cycles = verif::full_tier() ? 2'000'000 : 300'000});
  EXPECT_EQ(run.status, 0) << config.top << "\n" << run.report.dump(1);
  EXPECT_THAT(run.report.dump(), testing::Not(testing::HasSubstr("ports alone")));
  EXPECT_GT(run.report["counters"]["hits"], 1000);
  EXPECT_GT(run.report["counters"]["evicted_chunks"], 1000);
}

}  // namespace

TEST(L1dTsc, VictimsByGroup) { expect_same({"tags.split.victim=group", "counters.enable=true"}); }

TEST(L1dTsc, CoarseWithFewPrivateBits) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  expect_same(
      {"mode.kind=coarse", "tags.split.private_tag_bits=2", "tags.store_scope=mask", "counters.enable=true"});
}

TEST(L1dTsc, AFollowerBehindAnIndexWithStages) {
  expect_same({"mode.kind=dueling", "mode.follow=true", "index.kind=pli", "index.latency=2"});
}

TEST(L1dTsc, AShortDuel) {
  expect_same({"mode.kind=dueling", "mode.threshold=8", "tags.split.victim=group", "geometry.chunk_bytes=64",
               "tags.split.groups=7", "geometry.capacity_bytes=14336"});
}

// 21 slots: the search for victims starts at a remainder that is no low bits of the LFSR.
TEST(L1dTsc, AnOddNumberOfSlots) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  expect_same({"tags.split.groups=7", "tags.split.chunks_per_group=3", "geometry.capacity_bytes=21504"});
}

// All tag bits private: nothing is shared, and no group is ever retagged.
TEST(L1dTsc, NothingShared) {
  expect_same({"tags.split.private_tag_bits=20", "tags.split.groups=1", "tags.split.chunks_per_group=16"});
}
