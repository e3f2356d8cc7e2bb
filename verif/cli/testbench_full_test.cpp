// Benches of `gen --bench` on caches of four to sixteen lines, which are fewer than a bench has beside each
// other: every kind of cache, index, memory side and associativity passes.
#include "verif/cli/bench_run.h"

namespace {

using Settings = std::vector<std::string>;

TEST(TestbenchFull, PassesOnCachesOfAFewLines) {
  const Settings tiny{"geometry.capacity_bytes=1024"};
  std::vector<std::pair<std::string, Settings>> shapes;
  for (const char* preset :
       {"l1d", "l1d_sectored", "l1d_tsc", "l1d_dsc", "l1d_gpu", "l1d_mrpb", "l1d_reuse_filter", "l1d_adi"})
    shapes.emplace_back(preset, tiny);
  for (const char* setting : {"memory.protocol=axi4", "index.kind=bxi", "geometry.ways=1", "geometry.ways=2"})
    shapes.push_back({"l1d", {tiny[0], setting}});
  for (const int bytes : {1024, 2048})
    for (const int ways : {1, 2, 4})
      if (bytes / 256 / ways >= 2)
        shapes.push_back({"l1d",
                          {fmt::format("geometry.capacity_bytes={}", bytes), "geometry.line_bytes=256",
                           fmt::format("geometry.ways={}", ways)}});
  for (const auto& [preset, settings] : shapes)
    EXPECT_THAT(verif::run_bench(preset, settings, 1000), testing::HasSubstr("PASSED: 1000 requests"))
        << preset << " " << testing::PrintToString(settings);
}

}  // namespace
