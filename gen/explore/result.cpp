#include "gen/explore/result.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gen {

namespace {

void add_each(std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& values) {
  sum.resize(std::max(sum.size(), values.size()));
  for (size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
}

}  // namespace

void SmResult::add(const SmResult& other) {
  golden::add_counters(counters, other.counters);
  add_each(set_loads, other.set_loads);
  add_each(chunk_use, other.chunk_use);
  for (size_t i = 0; i < chunks_asked.size(); ++i) chunks_asked[i] += other.chunks_asked[i];
  for (size_t i = 0; i < stalls.size(); ++i) stalls[i] += other.stalls[i];
  instructions += other.instructions;
  widths.add(other.widths);
  for (size_t d = 0; d < loads_by_degree.size(); ++d) loads_by_degree[d].add(other.loads_by_degree[d]);
  latency.add(other.latency);
  adi_events += other.adi_events;
  cycles.sending += other.cycles.sending;
  cycles.refused += other.cycles.refused;
  cycles.waiting += other.cycles.waiting;
  cycles.empty += other.cycles.empty;
  causes.add(other.causes);
}

SmResult RunResult::total() const {
  if (sms.size() == 1 && !topology) return sms[0];
  SmResult sum;
  for (const SmResult& sm : sms) sum.add(sm);
  if (topology)
    golden::add_counters(sum.counters, topology->figures.direct), sum.causes.add(topology->causes);
  return sum;
}

Traffic traffic(const SmResult& sm, int chunk_bytes) {
  const auto& c = sm.counters;
  const auto [loads, stores, atomics, non_l1] = sm.chunks_asked;
  const auto chunk = static_cast<std::uint64_t>(chunk_bytes);
  Traffic t;
  t.packets_down = t.packets_up = c.requests_down + c.stores + c.atomics + c.non_l1;
  t.bytes_down = t.packets_down * Traffic::header_bytes + (stores + atomics) * chunk;
  t.bytes_up = t.packets_up * Traffic::header_bytes + (c.chunks_requested + atomics + non_l1) * chunk;
  return t;
}

Distribution distribution(const std::vector<std::uint64_t>& values) {
  Distribution s;
  if (values.empty()) return s;
  const auto [least, most] = std::ranges::minmax(values);
  s.min = least;
  s.max = most;
  const auto n = static_cast<double>(values.size());
  s.mean = static_cast<double>(std::accumulate(values.begin(), values.end(), std::uint64_t{0})) / n;
  double squares = 0;
  for (const std::uint64_t value : values) {
    const double difference = static_cast<double>(value) - s.mean;
    squares += difference * difference;
  }
  s.variation = s.mean > 0 ? std::sqrt(squares / n) / s.mean : 0;
  return s;
}

double hit_rate(const golden::L1dCounters& c) { return share(c.hits + c.hit_pending, c.loads); }

double miss_rate(const golden::L1dCounters& c) {
  return share(c.partial_misses + c.misses + c.bypasses, c.loads);
}

double bypass_rate(const golden::L1dCounters& c) { return share(c.bypasses, c.loads); }
double partial_rate(const golden::L1dCounters& c) { return share(c.partial_misses, c.loads); }

double replication_ratio(const TopologyResult& t) { return share(t.foreign, t.missed); }

std::uint64_t reservation_fails(const golden::L1dCounters& c) {
  return c.reservation_fail_line + c.reservation_fail_mshr + c.reservation_fail_merge +
         c.reservation_fail_queue;
}

BytesPerCycle bytes_per_cycle(const RunResult& run) {
  const golden::SystemMemoryFigures& m = *run.system->memory;
  return {share(m.l2.bytes_in, run.cycles), share(m.dram.bytes_read + m.dram.bytes_written, run.cycles)};
}

}  // namespace gen
