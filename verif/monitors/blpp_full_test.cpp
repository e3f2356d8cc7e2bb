// Page placement in long lock step: 20 million cycles over 40 configurations, both ends of every number among
// them.
#include <fmt/ranges.h>

#include <random>

#include "verif/unit_lock_step.h"

namespace {

constexpr std::int64_t cycles = 500'000;

}  // namespace

TEST(BlppFull, FortyConfigurations) {
  std::mt19937_64 draw(1);
  const auto key = [&](const std::string& name, const std::vector<int>& values) {
    return fmt::format("blpp.{}={}", name, values[draw() % values.size()]);
  };
  for (int n = 0; n < 40; ++n) {
    std::vector<std::string> settings{key("period", {1024, 1025, 1500, 2048, 4000})};
    if (n % 10 == 9) {
      settings.emplace_back("blpp.mode=static");
      settings.push_back(fmt::format("blpp.ratio=0.{}", draw() % 1000));
    }
    for (const char* bandwidth : {"gpu_bandwidth", "cpu_bandwidth"})
      settings.push_back(key(bandwidth, {40, 80, 200, 320, 1000}));
    settings.push_back(key("ratio_tenths", {15, 18, 25, 40}));
    settings.push_back(key("bytes_per_cycle", {1, 50, 200, 1600}));
    for (const char* latency :
         {"l1_latency", "l2_latency", "gpu_memory_latency", "cpu_memory_latency", "link_latency"})
      settings.push_back(key(latency, {1, 28, 100, 255}));
    SCOPED_TRACE(fmt::format("{}", fmt::join(settings, " ")));
    const verif::LockStep result = verif::lock_step("blpp", settings, cycles, verif::fresh_seed(1));
    // A short run of a long period may not come by every event; one that ends early has no report.
    ASSERT_TRUE(result.report.contains("mismatches")) << result.status << "\n" << result.output;
    EXPECT_EQ(result.report["cycles"], cycles) << result.output;
    EXPECT_TRUE(result.report["mismatches"].empty()) << result.output;
  }
}
