#include "cosim/noc/system_report.h"

namespace verif {
namespace {

using Json = nlohmann::ordered_json;
using Numbers = std::vector<std::uint64_t>;

// Calls `visit` with every number of it, in an order that both ways share.
template <class Report, class Visit>
void each(Report& r, Visit&& visit) {
  const auto all = [&](auto&... numbers) { (visit(numbers), ...); };
  all(r.warp_instructions, r.thread_instructions);
  auto& i = r.issue_cycles;
  all(i.issued, i.no_warp, i.scoreboard, i.load, i.lsu_full, i.barrier, i.empty);
  for (auto& cycles : r.causes.cycles) visit(cycles);
  auto& m = r.memory;
  all(m.request_flits, m.reply_flits, m.requests, m.answers, m.bytes_down);
  all(m.l2.accesses, m.l2.hits, m.l2.misses, m.l2.fails, m.l2.bytes_in, m.l2.missed_bytes, m.l2.written_back);
  auto& d = m.dram;
  all(d.reads, d.writes, d.row_hits, d.row_misses, d.row_conflicts, d.busy_cycles, d.bytes_read,
      d.bytes_written);
}

}  // namespace

Json json_of(const SystemReport& report) {
  Numbers numbers;
  each(report, [&](std::uint64_t number) { numbers.push_back(number); });
  return numbers;
}

SystemReport system_report_of(const Json& json) {
  const auto numbers = json.get<Numbers>();
  SystemReport report;
  std::size_t next = 0;
  each(report, [&](std::uint64_t& number) { number = numbers.at(next++); });
  return report;
}

}  // namespace verif
