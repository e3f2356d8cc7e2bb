#include "cosim/l1d/latency_report.h"

#include <fmt/format.h>

namespace verif {

nlohmann::ordered_json json_of(const golden::PortLatency& latency) {
  const auto of = [](const golden::Latencies& l) {
    return nlohmann::ordered_json{
        {"loads", l.loads()}, {"median", l.percentile(50)}, {"percentile_99", l.percentile(99)}};
  };
  return {{"hits", of(latency.hits())}, {"others", of(latency.others())}};
}

std::string words_of(const golden::Latencies& latencies) {
  return fmt::format("{}/{}", latencies.percentile(50), latencies.percentile(99));
}

}  // namespace verif
