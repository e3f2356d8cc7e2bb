// Runs an L1 data cache's lock step as `l1forge cosim` does.
#pragma once
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/cosim/cosim.h"
#include "verif/full_tier.h"
#include "verif/lock_step_result.h"
#include "verif/parameters/golden_parameters.h"

namespace verif {

LockStep lock_step(const gen::Config& config, gen::CosimRequest request);

// Of random traffic, at a preset: rounds of an adaptive index, duels and periods of a controller are long.
std::int64_t cycles_for_goals(const hw::L1dParams& p);

gen::Config config_of(const hw::L1dParams& p, const std::string& top);

// Those with the ports of a recording.
std::vector<gen::Config> cache_presets();

// Random legal configurations, one after the other, in lock step; the same for the same seed, and with
// FORGE_FROM=n those from number n on, the first being 0. None may differ, and every event is reached by some
// of them: an odd shape alone may keep one out of reach for a while.
void sampled_lock_step(int configurations, std::int64_t cycles, std::uint64_t seed,
                       hw::L1dParams (*random_parameters)(Draw&) = random_l1d);

}  // namespace verif
