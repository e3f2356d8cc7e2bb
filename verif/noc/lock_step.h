// Runs a unit's lock step as `l1forge cosim` does, and the program of another bench.
#pragma once
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/cosim/cosim.h"
#include "gen/files.h"
#include "gen/process.h"
#include "verif/full_tier.h"

namespace verif {

struct LockStep {
  int status = -1;
  std::string output;
  nlohmann::json report;
};

inline std::uint64_t fresh_seed(std::uint64_t pinned) {
  return full_tier() ? std::random_device{}() : pinned;
}

// A change of the program that is run: another bench.
using ProgramChange = std::function<void(gen::ProgramSource&)>;

inline LockStep lock_step(const std::string& preset, const std::vector<std::string>& settings,
                          std::int64_t cycles, std::uint64_t seed, const ProgramChange& change = {}) {
  const gen::Config config = gen::load_config(preset, settings);
  gen::ProgramSource source = gen::cosim_program(config);
  if (change) change(source);
  const gen::TempDir work("lock_step");
  const nlohmann::json options{{"top", config.top},
                               {"random_cycles", cycles},
                               {"seed", seed},
                               {"report", (work / "report.json").string()}};
  gen::write_file_atomically(work / "options.json", options.dump());
  const auto done =
      gen::run({.argv = {gen::build_program(source).string(), (work / "options.json").string()}});
  LockStep result{done.status, done.output, {}};
  if (done.status == 0 || done.status == 1)
    result.report = nlohmann::json::parse(gen::read_file(work / "report.json"));
  return result;
}

// No difference, and every event was seen.
inline void expect_same(const std::string& preset, const std::vector<std::string>& settings,
                        std::int64_t cycles, std::uint64_t seed) {
  const LockStep result = lock_step(preset, settings, cycles, seed);
  EXPECT_EQ(result.status, 0) << fmt::format("seed {}\n", seed) << result.output;
  fmt::print("{}", result.output);
}

}  // namespace verif
