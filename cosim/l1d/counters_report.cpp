#include "cosim/l1d/counters_report.h"

namespace verif {

using golden::L1dCounters;

L1dCounters difference(const L1dCounters& later, const L1dCounters& earlier) {
  L1dCounters d;
  for (const auto& [name, counter] : golden::counter_names) d.*counter = later.*counter - earlier.*counter;
  return d;
}

nlohmann::ordered_json to_json(const L1dCounters& counters) {
  nlohmann::ordered_json json;
  for (const auto& [name, counter] : golden::counter_names) json[std::string(name)] = counters.*counter;
  return json;
}

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace verif
