// Does the lock step find what is broken? A unit with all its faults in one program, run once for each.
#pragma once
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "gen/cosim/program.h"
#include "verif/mutate/injected_faults.h"

namespace verif {

struct MutationRun {
  std::int64_t cycles = 100'000;
  std::uint64_t seed = 1;
  bool coverage = true;  // a coverage goal that the sound unit's run misses fails the test
  // Of the program: another bench.
  std::function<void(gen::ProgramSource&)> change = {};
  // Sees the report of the run with each fault.
  std::function<void(const Fault&, const nlohmann::json&)> see = {};
};

// Fails the running test for a fault that the lock step of the preset with these settings does not find, and
// for a sound unit that it accuses. Prints where each was found.
void expect_all_found(const std::string& preset, const std::vector<std::string>& settings,
                      std::span<const Fault> faults, const MutationRun& mutation_run = {});

}  // namespace verif
