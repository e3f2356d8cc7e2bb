// Runs a unit's lock step as `l1forge cosim` does, and the program of another bench.
#pragma once
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gen/cosim/program.h"
#include "verif/full_tier.h"
#include "verif/lock_step_result.h"

namespace verif {

// The seed, or any in the full tests.
std::uint64_t fresh_seed(std::uint64_t pinned);

// A change of the program that is run: another bench.
using ProgramChange = std::function<void(gen::ProgramSource&)>;

LockStep lock_step(const std::string& preset, const std::vector<std::string>& settings, std::int64_t cycles,
                   std::uint64_t seed, const ProgramChange& change = {});

// No difference, and every event was seen.
void expect_same(const std::string& preset, const std::vector<std::string>& settings, std::int64_t cycles,
                 std::uint64_t seed);

}  // namespace verif
