// L1 data caches with the reuse-count filter in lock step with golden, every event reached: the preset's
// shape with each choice of its keys.
#include "verif/l1d/lock_step.h"

namespace {

void expect_same(const std::vector<std::string>& settings) {
  const gen::Config config = gen::load_config("l1d_reuse_filter", settings);
  const auto run = verif::lock_step(config, {.random_cycles = verif::full_tier() ? 2'000'000 : 400'000});
  EXPECT_EQ(run.status, 0) << config.top << "\n" << run.report.dump(1);
  EXPECT_THAT(run.report.dump(), testing::Not(testing::HasSubstr("ports alone")));
  EXPECT_GT(run.report["counters"]["hits"], 1000);
  EXPECT_GT(run.report["counters"]["bypasses"], 1000);
}

}  // namespace

TEST(L1dReuse, DatalessEntriesFirst) {
  expect_same({"tags.reuse_filter.tag_victim=dataless_lfu", "tags.reuse_filter.threshold=3",
               "tags.reuse_filter.rc_bits=3", "counters.enable=true"});
}

// As many entries as lines: all of them can wait.
TEST(L1dReuse, NoEntryToTakeAndAFollower) {
  expect_same({"tags.reuse_filter.ways=4", "tags.reuse_filter.follow=true", "counters.enable=true"});
}

TEST(L1dReuse, BehindAnIndexWithStages) {
  expect_same(
      {"index.kind=pli", "index.latency=2", "tags.reuse_filter.ways=16", "tags.reuse_filter.follow=true"});
}
