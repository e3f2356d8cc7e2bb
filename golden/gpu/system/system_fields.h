// The numbers of a system in an order of their own, to hand a system to a program of another process.
#pragma once
#include <concepts>
#include <type_traits>
#include <vector>

#include "golden/gpu/system/system_params.h"

namespace golden {

// Calls `visit` with every number, flag and choice of the system.
template <class Params, class Visit>
requires std::same_as<std::remove_const_t<Params>, SystemParams>
void each_field(Params& p, Visit&& visit) {
  const auto all = [&](auto&... fields) { (visit(fields), ...); };
  all(p.sms, p.core_clock, p.network_clock, p.memory_clock, p.schedulers, p.scheduler, p.warps, p.threads,
      p.ctas);
  all(p.registers, p.shared_bytes, p.cta_order, p.registers_per_thread, p.alu_interval, p.unit_interval);
  all(p.lsu_queue, p.loads_in_flight, p.l1_hit_latency, p.l1_queue_latency, p.launch_latency);
  auto& r = p.result;
  all(r.integer, r.fp, r.sfu, r.dp, r.shared, r.branch, r.pipeline);
  all(p.network.flit_bytes, p.network.queue, p.network.whole_packets);
  auto& l2 = p.l2;
  all(l2.slices, l2.choice, l2.sets, l2.ways, l2.mshrs, l2.merges, l2.latency, l2.split_sectors, l2.flush,
      l2.index);
  auto& d = p.dram;
  all(d.channels, d.bank_groups, d.banks, d.row_bytes, d.bytes_per_command, d.queue, d.age, d.latency);
  auto& t = d.timing;
  all(t.rcd, t.ras, t.rp, t.rc, t.rrd, t.cl, t.wl, t.ccd, t.ccdl, t.wr, t.cdlr, t.rtp);
}

inline std::vector<int> numbers_of(const SystemParams& p) {
  std::vector<int> numbers;
  each_field(p, [&](const auto& field) { numbers.push_back(static_cast<int>(field)); });
  return numbers;
}

inline SystemParams system_of(const std::vector<int>& numbers) {
  SystemParams p;
  std::size_t next = 0;
  each_field(p, [&](auto& field) {
    field = static_cast<std::remove_reference_t<decltype(field)>>(numbers.at(next++));
  });
  return p;
}

}  // namespace golden
