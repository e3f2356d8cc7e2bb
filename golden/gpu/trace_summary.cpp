#include "golden/gpu/trace_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "golden/gpu/coalesce.h"

namespace golden {

namespace {

// The warps seen so far, 64 of one CTA to an entry; a trace comes CTA by CTA, so the latest entry is mostly
// hit.
class WarpSet {
 public:
  void add(std::uint32_t cta, std::uint16_t warp) {
    const std::uint64_t key = std::uint64_t{cta} << 10 | warp / 64;
    if (!latest_ || key != key_) latest_ = &seen_[key_ = key];
    *latest_ |= std::uint64_t{1} << warp % 64;
  }

  std::uint64_t count() const {
    std::uint64_t warps = 0;
    for (const auto& [key, mask] : seen_) warps += static_cast<std::uint64_t>(std::popcount(mask));
    return warps;
  }

  // The CTAs seen, each once.
  std::vector<std::uint32_t> ctas() const {
    std::vector<std::uint32_t> numbers;
    for (const auto& [key, mask] : seen_) numbers.push_back(static_cast<std::uint32_t>(key >> 10));
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> seen_;
  std::uint64_t key_ = 0;
  std::uint64_t* latest_ = nullptr;
};

void count_access(const Record& record, TraceSummary& summary, std::vector<std::uint64_t>& lines) {
  const auto addresses = record.addresses();
  const auto [low, high] = std::minmax_element(addresses.begin(), addresses.end());
  const bool first = summary.loads + summary.stores + summary.atomics + summary.non_l1 == 0;
  summary.lowest_address = first ? *low : std::min(summary.lowest_address, *low);
  summary.highest_address = first ? *high : std::max(summary.highest_address, *high);
  switch (record.kind) {
    case AccessKind::load:
      ++summary.loads;
      coalesce(record, summary.line_bytes, lines);
      summary.load_requests += lines.size();
      break;
    case AccessKind::store:
      ++summary.stores;
      break;
    case AccessKind::atomic:
      ++summary.atomics;
      break;
    case AccessKind::non_l1:
      ++summary.non_l1;
      break;
  }
}

}  // namespace

TraceSummary summarize(RecTrace& trace, int line_bytes) {
  TraceSummary summary;
  summary.name = trace.name();
  summary.kernel = trace.kernel();
  summary.line_bytes = line_bytes;
  for (const Launch& launch : trace.launches())
    summary.launches.push_back({launch.index, 0, 0, launch.records});
  WarpSet warps;
  std::vector<std::uint64_t> lines;
  Record record;
  while (trace.next(record)) {
    ++summary.records;
    ++summary.launches[trace.launch_of(record.cta)].records;
    warps.add(record.cta, record.warp);
    if (record.is_barrier())
      ++summary.barriers;
    else
      count_access(record, summary, lines);
  }
  for (const std::uint32_t cta : warps.ctas()) {
    ++summary.ctas;
    ++summary.launches[trace.launch_of(cta)].ctas;
  }
  summary.warps = warps.count();
  return summary;
}

std::string text(const TraceSummary& s) {
  return fmt::format(
      "{}: {} records: loads {} stores {} atomics {} barriers {}; launches {} CTAs {} warps {}; addresses "
      "{:08x}..{:08x}; "
      "{}-byte requests a load {:.2f}",
      s.name, s.records, s.loads, s.stores, s.atomics, s.barriers, s.launches.size(), s.ctas, s.warps,
      s.lowest_address, s.highest_address, s.line_bytes, s.requests_per_load());
}

nlohmann::ordered_json json(const TraceSummary& s) {
  nlohmann::ordered_json launches = nlohmann::ordered_json::array();
  for (const LaunchSummary& one : s.launches)
    launches.push_back({{"index", one.index},
                        {"ctas", one.ctas},
                        {"records", one.records},
                        {"stated_records", one.stated_records}});
  return {{"trace", s.name},
          {"kernel", s.kernel},
          {"records", s.records},
          {"loads", s.loads},
          {"stores", s.stores},
          {"atomics", s.atomics},
          {"barriers", s.barriers},
          {"ctas", s.ctas},
          {"warps", s.warps},
          {"lowest_address", fmt::format("0x{:08x}", s.lowest_address)},
          {"highest_address", fmt::format("0x{:08x}", s.highest_address)},
          {"line_bytes", s.line_bytes},
          {"load_requests", s.load_requests},
          {"requests_per_load", s.requests_per_load()},
          {"launches", launches}};
}

}  // namespace golden
