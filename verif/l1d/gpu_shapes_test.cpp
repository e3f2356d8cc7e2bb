// Caches of the shapes of newer GPUs in lock step: 64 ways, and as many MSHR entries as Volta's L1 has
// (docs/cache-strings.md). Wider ones are of models alone.
#include "gen/gpgpusim.h"
#include "gen/unit/unit.h"
#include "hw/l1d/l1d.h"
#include "verif/l1d/lock_step.h"

namespace {

using testing::HasSubstr;

// No difference; the rarer goals need longer runs.
void agrees(const gen::Config& config) {
  const auto run = verif::lock_step(config, {.random_cycles = verif::full_tier() ? 1'000'000 : 60'000});
  ASSERT_TRUE(run.report.contains("mismatches")) << run.output;
  EXPECT_TRUE(run.report["mismatches"].empty()) << run.report.dump(1);
  const std::vector<std::string> missed = run.report["coverage"]["missed"];
  EXPECT_THAT(missed, testing::Not(testing::Contains("victim chosen")));
  EXPECT_THAT(missed, testing::Not(testing::Contains("each way of each set filled")));
}

// All 64 ways of the 4 sets get lines, and lose them.
TEST(GpuShapes, VoltaInLockStepWithGolden) {
  const gen::Config config =
      gen::parse_config(gen::toml_of_gpgpusim("S:4:128:64,L:T:m:L:L,A:512:8,16:0,32"), "volta");
  const auto& p = config.get<hw::L1dParams>();
  ASSERT_EQ(p.ways, 64);
  ASSERT_EQ(p.mshr_entries, 512);
  agrees(config);
}

// A set whose ways fill more than a word of either side, by the other policies.
TEST(GpuShapes, ManyWaysInLockStepWithGolden) {
  for (const char* replacement : {"nru", "random", "srrip"}) {
    const gen::Config config =
        gen::load_config("l1d", {"geometry.ways=33", "geometry.line_bytes=32", "geometry.capacity_bytes=2112",
                                 fmt::format("tags.replacement={}", replacement)});
    agrees(config);
    if (!verif::full_tier()) break;
  }
}

std::string refusal(const std::vector<std::string>& settings) {
  try {
    const gen::Config config = gen::load_config("l1d", settings);
    gen::with_places(config, [&] { hw::check(config.get<hw::L1dParams>()); });
    gen::elaborate(config);
  } catch (const gen::ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(GpuShapes, WhatHardwareHasNotIsNamed) {
  EXPECT_EQ(refusal({"geometry.ways=64", "geometry.capacity_bytes=1048576"}), "");
  EXPECT_THAT(refusal({"geometry.ways=65", "geometry.capacity_bytes=16640"}),
              HasSubstr("geometry.ways = 65: is more than the 64 that hardware has; models of one cache, in "
                        "explore, have up to 512; use at most 64, and more sets"));
  EXPECT_THAT(refusal({"geometry.ways=64", "geometry.capacity_bytes=8192"}),
              HasSubstr("geometry.capacity_bytes = 8192: makes one set, and hardware has at least 2; models "
                        "of one cache, in explore, may have one; use fewer ways"));
  EXPECT_THAT(refusal({"geometry.ways=64", "geometry.capacity_bytes=8192", "index.kind=bxi"}),
              HasSubstr("index.kind = bxi: chooses among sets, and this cache has one; use cvi, or a "
                        "geometry with more sets"));
  EXPECT_THAT(refusal({"tags.kind=reuse_filter", "geometry.ways=32"}),
              HasSubstr("geometry.ways = 32: must be from 1 to 16 with "));
  EXPECT_THAT(refusal({"tags.kind=decoupled", "geometry.ways=17"}),
              HasSubstr("geometry.ways = 17: must be from 1 to 16 with decoupled tags"));
  EXPECT_THAT(refusal({"geometry.ways=96", "geometry.capacity_bytes=24576", "ecc.tags=secded"}),
              HasSubstr("ecc.tags = secded: is of caches that are built"));
  EXPECT_THAT(refusal({"geometry.ways=32", "bypass.kind=protection_distance"}),
              HasSubstr("geometry.ways = 32: must be from 1 to 16"));
}

}  // namespace
