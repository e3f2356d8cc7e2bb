// `l1forge gen --bench`: a self-checking Verilog bench of a cache or of a topology of caches.
#pragma once
#include <string>

#include "gen/config/config.h"
#include "gen/unit/unit.h"

namespace gen {

// The file TOP_bench.vt; not .v, since it is no part of the design. Its module TOP_bench sends random loads
// and stores from every core, answers from memories that stall and change the order, flushes now and then,
// and checks every answer: once each, the requested mask, and the data of the last store before. It prints
// PASSED or FAILED with the reason, and ends. Throws ConfigError for a unit that is no cache.
std::string testbench(const Config& config, const Unit& unit);

std::string testbench_name(const std::string& top);

}  // namespace gen
