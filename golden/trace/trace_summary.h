// Counts of a whole trace, gathered in one pass: what `l1forge trace` prints.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "golden/trace/request_list.h"
#include "golden/trace/trace_source.h"

namespace golden {

struct LaunchSummary {
  std::string kernel;
  std::uint32_t index = 0;
  std::uint64_t ctas = 0, records = 0;
  std::uint64_t stated_records = 0;  // by the side file; 0 when not stated
};

struct TraceSummary {
  std::string name, kernel;  // kernel: "" when there are several
  int line_bytes = 128;
  std::uint64_t records = 0, loads = 0, stores = 0, atomics = 0, non_l1 = 0, barriers = 0;
  std::uint64_t ctas = 0, warps = 0;
  std::uint64_t lowest_address = 0, highest_address = 0;  // both 0 when there is no access
  std::uint64_t load_requests = 0;                        // lines that the loads touch
  std::vector<LaunchSummary> launches;

  double requests_per_load() const { return loads ? static_cast<double>(load_requests) / loads : 0.0; }
};

// Reads `trace` to its end. Memory grows with the number of CTAs alone.
TraceSummary summarize(TraceSource& trace, int line_bytes = 128);

struct RequestSummary {
  std::string name;
  std::uint64_t requests = 0, loads = 0, stores = 0, atomics = 0, non_l1 = 0, chunks = 0, flushes = 0;
  std::uint64_t lowest_address = 0, highest_address = 0;  // both 0 when there is no request
};

RequestSummary summarize(RequestList& list);

std::string text(const RequestSummary& summary);  // one line
nlohmann::ordered_json json(const RequestSummary& summary);
std::string text(const TraceSummary& summary);  // one line
nlohmann::ordered_json json(const TraceSummary& summary);

}  // namespace golden
