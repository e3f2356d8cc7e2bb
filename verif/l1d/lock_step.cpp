#include "verif/l1d/lock_step.h"

#include <cstdio>
#include <cstdlib>
#include <map>

#include "gen/config/catalogue.h"
#include "gen/files.h"

namespace verif {

LockStep lock_step(const gen::Config& config, gen::CosimRequest request) {
  const gen::TempDir work("l1d");
  request.json = (work / "report.json").string();
  LockStep result;
  result.status = gen::cosim(config, request);
  if (result.status < 2) result.report = nlohmann::json::parse(gen::read_file(work / "report.json"));
  return result;
}

std::int64_t cycles_for_goals(const hw::L1dParams& p) {
  if (hw::has_controller(p)) return 1'000'000;
  return p.index.kind == hw::IndexKind::adi || p.mode.kind == hw::ModeKind::dueling ? 500'000 : 300'000;
}

gen::Config config_of(const hw::L1dParams& p, const std::string& top) {
  gen::Config config = gen::load_config("l1d");
  config.params = p;
  config.top = top;
  return config;
}

std::vector<gen::Config> cache_presets() {
  std::vector<gen::Config> caches;
  for (const auto& name : gen::preset_names())
    if (gen::Config config = gen::load_config(name); const auto* cache = config.params.find<hw::L1dParams>())
      if (cache->protocol == hw::MemoryProtocol::native) caches.push_back(std::move(config));
  return caches;
}

void sampled_lock_step(int configurations, std::int64_t cycles, std::uint64_t seed,
                       hw::L1dParams (*random_parameters)(Draw&)) {
  if (const char* given = std::getenv("FORGE_SEED")) seed = std::strtoull(given, nullptr, 0);
  const char* given_from = std::getenv("FORGE_FROM");
  const int from = given_from ? std::atoi(given_from) : 0;
  fmt::print("seed {}\n", seed);
  Draw draw(seed);
  std::int64_t done = 0;
  std::map<std::string, std::int64_t> seen;
  for (int i = 0; i < configurations; ++i) {
    hw::L1dParams p = random_parameters(draw);
    if (draw.percent(15)) p.core_id_bits = draw.between(1, 4);
    p.counters = draw.percent(50);
    const std::uint64_t stimulus = draw.bits() >> 1;
    if (i < from) continue;
    const std::string words = testing::PrintToString(p);
    fmt::print("  {}: {}\n", i, words);
    std::fflush(stdout);
    const LockStep run =
        lock_step(config_of(p, fmt::format("l1d_sample{}", i)), {.random_cycles = cycles, .seed = stimulus});
    ASSERT_LT(run.status, 2) << words;
    EXPECT_TRUE(run.report["mismatches"].empty()) << words << "\n" << run.report.dump(1);
    done += run.report["cycles"].get<std::int64_t>();
    for (const auto& [event, times] : run.report["coverage"]["counts"].items()) {
      seen[event] += times.get<std::int64_t>();
      if (times == 0) fmt::print("    not seen: {}\n", event);
    }
  }
  EXPECT_GE(done, (configurations - from) * cycles);
  EXPECT_FALSE(seen.empty());
  for (const auto& [event, times] : seen) EXPECT_GT(times, 0) << event;
  fmt::print("{} cycles over {} configurations\n", done, configurations - from);
}

}  // namespace verif
