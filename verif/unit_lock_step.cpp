#include "verif/unit_lock_step.h"

#include <random>

#include "gen/config/config.h"
#include "gen/cosim/cosim.h"
#include "gen/files.h"
#include "gen/process.h"

namespace verif {

std::uint64_t fresh_seed(std::uint64_t pinned) { return full_tier() ? std::random_device{}() : pinned; }

LockStep lock_step(const std::string& preset, const std::vector<std::string>& settings, std::int64_t cycles,
                   std::uint64_t seed, const ProgramChange& change) {
  const gen::Config config = gen::load_config(preset, settings);
  gen::ProgramSource source = gen::cosim_program(config);
  if (change) change(source);
  const gen::TempDir work("lock_step");
  const nlohmann::json options{{"top", config.top},
                               {"random_cycles", cycles},
                               {"seed", seed},
                               {"coverage", true},
                               {"report", (work / "report.json").string()}};
  gen::write_file_atomically(work / "options.json", options.dump());
  const auto done =
      gen::run({.argv = {gen::build_program(source).string(), (work / "options.json").string()}});
  LockStep result{done.status, done.output, {}};
  if (done.status == 0 || done.status == 1)
    result.report = nlohmann::json::parse(gen::read_file(work / "report.json"));
  return result;
}

void expect_same(const std::string& preset, const std::vector<std::string>& settings, std::int64_t cycles,
                 std::uint64_t seed) {
  const LockStep result = lock_step(preset, settings, cycles, seed);
  EXPECT_EQ(result.status, 0) << fmt::format("seed {}\n", seed) << result.output;
  fmt::print("{}", result.output);
}

}  // namespace verif
