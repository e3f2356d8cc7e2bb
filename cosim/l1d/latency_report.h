// How long loads took at the ports of a cache, for programs and for people.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "golden/l1d/port_latency.h"

namespace verif {

// Of hits and of others: loads, the median and the 99th percentile of their cycles.
nlohmann::ordered_json json_of(const golden::PortLatency& latency);
// "2/9": median and 99th percentile.
std::string words_of(const golden::Latencies& latencies);

}  // namespace verif
