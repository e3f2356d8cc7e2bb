// The cache with its controller in long lock step: 20 million cycles over 40 configurations of every order,
// scope and kind of tags with ways, distances from 1 to 255, odd numbers of warps and a single one.
#include <random>

#include "verif/l1d/lock_step.h"

namespace {

using Settings = std::vector<std::string>;

constexpr int configurations = 40;
constexpr std::int64_t cycles = 500'000;

template <class T>
const T& one_of(std::mt19937_64& draw, const std::vector<T>& all) {
  return all[draw() % all.size()];
}

// Rounds and periods so short that every meeting comes many times. What must come comes in turn, the rest by
// chance.
Settings settings_of(int n, std::mt19937_64& draw) {
  static const Settings orders{"adi_awl", "awl_adi", "parallel", "adi", "awl"};
  static const Settings policies{"lru", "nru", "random", "srrip"};
  static const std::vector<int> distances{1, 2, 3, 4, 5, 7, 8, 31, 100, 255};
  static const std::vector<int> of_core{1, 31, 48, 64}, of_scheduler{7, 24, 13, 1};
  const auto at = static_cast<std::size_t>(n);
  const bool core = n / 5 % 2, sectored = n / 10 % 2;
  const int ways = one_of<int>(draw, {1, 2, 4, 8}), period = one_of<int>(draw, {8, 16, 31});
  Settings all{"geometry.line_bytes=32",
               "geometry.chunk_bytes=8",
               "counters.enable=true",
               fmt::format("geometry.ways={}", ways),
               fmt::format("geometry.capacity_bytes={}", 32 * ways * (ways == 8 ? 4 : 32 / ways)),
               fmt::format("mshr.entries={}", one_of<int>(draw, {2, 4, 7})),
               fmt::format("mshr.merges={}", one_of<int>(draw, {2, 3})),
               fmt::format("mshr.miss_queue={}", one_of<int>(draw, {2, 3, 5})),
               fmt::format("core.id_bits={}", one_of<int>(draw, {4, 5})),
               fmt::format("tags.kind={}", sectored ? "sectored" : "conventional"),
               fmt::format("tags.replacement={}", one_of(draw, policies)),
               fmt::format("tags.store_scope={}", sectored && draw() % 2 ? "mask" : "line"),
               fmt::format("index.latency={}", draw() % 2),
               fmt::format("adaptive.period={}", period),
               "adaptive.counter_bits=5",
               fmt::format("bypass.protection_distance.distance={}", distances[(at + at / 10) % 10]),
               "iacm.order=" + orders[at % orders.size()],
               fmt::format("limit.scope={}", core ? "core" : "scheduler"),
               fmt::format("limit.warps={}", (core ? of_core : of_scheduler)[at / 10]),
               fmt::format("limit.linear_from={}", draw() % 2 ? "best" : "upper"),
               fmt::format("iacm.period={}", one_of<int>(draw, {2, 3, 9, 14})),
               fmt::format("iacm.adi_idle={}", one_of<int>(draw, {2, 5, 11})),
               fmt::format("iacm.issue_max={}", one_of<int>(draw, {64, 96, 1024}))};
  if (draw() % 4 == 0) all.emplace_back("iacm.adi_change=[3, 7]");
  if (draw() % 4 == 0) all.emplace_back("iacm.idle_change=[2, 1]");
  return all;
}

}  // namespace

TEST(IacmL1dFull, LockStep) {
  std::random_device fresh;
  const char* given = std::getenv("FORGE_SEED");
  const std::uint64_t seed = given ? std::strtoull(given, nullptr, 0) : fresh();
  fmt::print("seed {}\n", seed);
  std::mt19937_64 draw(seed);
  std::int64_t done = 0;
  std::map<std::string, std::int64_t> seen;
  for (int n = 0; n < configurations; ++n) {
    const Settings settings = settings_of(n, draw);
    const std::string words = fmt::format("{}: {}", n, fmt::join(settings, " "));
    fmt::print("  {}\n", words);
    std::fflush(stdout);
    const auto run = verif::lock_step(gen::load_config("l1d_iacm", settings),
                                      {.random_cycles = cycles, .seed = draw() >> 1});
    ASSERT_LT(run.status, 2) << words;
    EXPECT_TRUE(run.report["mismatches"].empty()) << words << "\n" << run.report.dump(1);
    done += run.report["cycles"].get<std::int64_t>();
    for (const auto& [event, times] : run.report["coverage"]["counts"].items())
      seen[event] += times.get<std::int64_t>();
  }
  EXPECT_GE(done, configurations * cycles);
  EXPECT_GT(seen["limit moves"], 1000);
  for (const auto& [event, times] : seen) EXPECT_GT(times, 0) << event;
  fmt::print("{} cycles over {} configurations, {} events\n", done, configurations, seen.size());
}
