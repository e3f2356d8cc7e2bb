// A cache's counters in reports of traces and recordings.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>

#include "golden/cache/l1d_types.h"

namespace verif {

golden::L1dCounters difference(const golden::L1dCounters& later, const golden::L1dCounters& earlier);
nlohmann::ordered_json to_json(const golden::L1dCounters& counters);

// 0 of nothing.
double percent(std::uint64_t part, std::uint64_t whole);

}  // namespace verif
