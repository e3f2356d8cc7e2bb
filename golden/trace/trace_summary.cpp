#include "golden/trace/trace_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "golden/trace/coalesce.h"

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

  void clear() {
    seen_.clear();
    latest_ = nullptr;
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

TraceSummary summarize(TraceSource& trace, int line_bytes) {
  TraceSummary summary;
  summary.name = trace.name();
  summary.line_bytes = line_bytes;
  WarpSet warps;
  std::vector<std::uint64_t> lines;
  Record record;
  for (KernelInfo kernel; trace.next_kernel(kernel); warps.clear()) {
    LaunchSummary& launch =
        summary.launches.emplace_back(LaunchSummary{kernel.name, kernel.index, 0, 0, kernel.stated_records});
    while (trace.next(record)) {
      ++launch.records;
      warps.add(record.cta, record.warp);
      if (record.is_barrier())
        ++summary.barriers;
      else
        count_access(record, summary, lines);
    }
    launch.ctas = warps.ctas().size();
    summary.records += launch.records;
    summary.ctas += launch.ctas;
    summary.warps += warps.count();
  }
  const auto& all = summary.launches;
  if (!all.empty() && std::ranges::all_of(all, [&](const auto& one) { return one.kernel == all[0].kernel; }))
    summary.kernel = all[0].kernel;
  return summary;
}

RequestSummary summarize(RequestList& list) {
  RequestSummary s;
  s.name = list.name();
  for (RequestList::Item item; list.next(item);) {
    if (item.flush) {
      ++s.flushes;
      continue;
    }
    const std::uint64_t address = item.request.address;
    std::uint64_t* const counts[] = {&s.loads, &s.stores, &s.atomics, &s.non_l1};
    ++*counts[static_cast<std::size_t>(item.request.kind)];
    s.chunks += static_cast<std::uint64_t>(std::popcount(item.request.mask));
    s.lowest_address = s.requests == 0 ? address : std::min(s.lowest_address, address);
    s.highest_address = std::max(s.highest_address, address);
    ++s.requests;
  }
  return s;
}

std::string text(const RequestSummary& s) {
  return fmt::format(
      "{}: {} requests: loads {} stores {} atomics {} non-L1 {}; lines {:08x}..{:08x}; {} chunks{}", s.name,
      s.requests, s.loads, s.stores, s.atomics, s.non_l1, s.lowest_address, s.highest_address, s.chunks,
      s.flushes > 0 ? fmt::format("; {} flushes", s.flushes) : "");
}

nlohmann::ordered_json json(const RequestSummary& s) {
  return {{"request_list", s.name},
          {"requests", s.requests},
          {"loads", s.loads},
          {"stores", s.stores},
          {"atomics", s.atomics},
          {"non_l1", s.non_l1},
          {"flushes", s.flushes},
          {"chunks", s.chunks},
          {"lowest_address", fmt::format("0x{:08x}", s.lowest_address)},
          {"highest_address", fmt::format("0x{:08x}", s.highest_address)}};
}

std::string text(const TraceSummary& s) {
  return fmt::format(
      "{}: {} records: loads {} stores {} atomics {} non-L1 {} barriers {}; launches {} CTAs {} warps {}; "
      "addresses "
      "{:08x}..{:08x}; "
      "{}-byte requests a load {:.2f}",
      s.name, s.records, s.loads, s.stores, s.atomics, s.non_l1, s.barriers, s.launches.size(), s.ctas,
      s.warps, s.lowest_address, s.highest_address, s.line_bytes, s.requests_per_load());
}

nlohmann::ordered_json json(const TraceSummary& s) {
  nlohmann::ordered_json launches = nlohmann::ordered_json::array();
  for (const LaunchSummary& one : s.launches)
    launches.push_back({{"kernel", one.kernel},
                        {"index", one.index},
                        {"ctas", one.ctas},
                        {"records", one.records},
                        {"stated_records", one.stated_records}});
  return {{"trace", s.name},
          {"kernel", s.kernel},
          {"records", s.records},
          {"loads", s.loads},
          {"stores", s.stores},
          {"atomics", s.atomics},
          {"non_l1", s.non_l1},
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
