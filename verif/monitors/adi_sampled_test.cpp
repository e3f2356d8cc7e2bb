// Random legal adaptive-indexing monitors in lock step with golden. `--full`: 20 million cycles over 30 of
// them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "gen/files.h"
#include "gen/process.h"
#include "verif/full_tier.h"
#include "verif/monitors/sample.h"

namespace {

void lock_step(const hw::AdiMonitorParams& p, const std::string& name, std::int64_t cycles,
               std::uint64_t seed) {
  const gen::TempDir work("adi");
  gen::write_file_atomically(work / "options.json",
                             nlohmann::json{{"top", name}, {"random_cycles", cycles}, {"seed", seed}}.dump());
  const auto program = gen::build_program(verif::adi_program(p, name));
  const auto done = gen::run({.argv = {program.string(), (work / "options.json").string()}});
  EXPECT_EQ(done.status, 0) << gen::changed_settings(p) << "\n" << done.output;
  fmt::print("{}: {}\n{}", name, gen::changed_settings(p), done.output);
}

}  // namespace

TEST(AdiSampled, InLockStepWithGolden) {
  const bool full = verif::full_tier();
  const char* given = std::getenv("FORGE_SEED");
  const std::uint64_t seed = given  ? std::strtoull(given, nullptr, 0)
                             : full ? std::random_device{}()
                                    : 20240601;
  std::mt19937_64 draw(seed);
  fmt::print("seed {}\n", seed);
  for (int i = 0; i < (full ? 30 : 6); ++i)
    lock_step(verif::sample_adi(draw), fmt::format("adi_sample{}", i), full ? 670'000 : 200'000, seed);
}

// The corners: one index bit, a pair only, the shortest period, a period that every counter wraps at, no
// idle.
TEST(AdiSampled, CornersInLockStepWithGolden) {
  lock_step({.sets = 2, .period = 16, .counter_bits = 4, .idle = 3}, "adi_one_bit", 100'000, 1);
  lock_step({.address_bits = 64, .line_bytes = 32, .sets = 4, .period = 2, .counter_bits = 2, .idle = 0},
            "adi_one_pair", 100'000, 2);
}
