#include "hw/remote/probe_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/prim/one_hot.h"
#include "hw/remote/core_selector_params.h"
#include "hw/remote/own_core.h"
#include "hw/remote/probe_table_events.h"
#include "hw/remote/remote_ranges.h"
#include "hw/require.h"

namespace hw {

using rtl::Expr;

void check(const ProbeTableParams& p) {
  require_in(RemoteRanges::cores, "topology.cores", p.cores, "use 28, the thesis'");
  require(p.core >= any_core && p.core < p.cores, "selector.core", p.core,
          fmt::format("must be below the {} of topology.cores", p.cores), "use 0");
  require_in(RemoteRanges::entries, "mshr.entries", p.entries, "use 32, those of the cache");
  require_in(PredictorRanges::entries, "predictor.entries", p.predictor_entries, "use 64, the thesis'");
  require(p.coverage >= 1 && p.coverage < p.cores, "remote.coverage", p.coverage,
          fmt::format("must be from 1 to the {} other cores", p.cores - 1),
          fmt::format("use {}", std::min(5, p.cores - 1)));
  require(p.coverage <= most_targets, "remote.coverage", p.coverage,
          fmt::format("must not exceed {}, as many as a flit has room for", most_targets), "use 5");
  require_in(RemoteRanges::probes, "remote.probes", p.probes, "use 2, the thesis'");
  require_in(RemoteRanges::timeout, "remote.timeout", p.timeout, "use 2048, the thesis'");
  require(p.outgoing >= p.probes && p.outgoing <= 32, "remote.outgoing", p.outgoing,
          fmt::format("must be from the {} of remote.probes to 32", p.probes), "use 4");
  require_in(TableRanges::stages, "table.stages", p.stages, "use 0");
}

namespace {

void drive_status(rtl::Module& m, const ProbeTablePorts::Status& status, const ProbeEntries& entries,
                  const SearchQueue& queue) {
  const auto& in = entries.in();
  m.section("Outputs");
  m.assign(status.searching, ~(in.free | in.waiting));
  m.assign(status.late, in.waiting & entries.fields().came);
  m.assign(status.idle, rtl::all(in.free) & queue.empty);
}

}  // namespace

rtl::Module probe_table(const ProbeTableParams& p, const std::string& name) {
  check(p);
  rtl::Module m(
      name, fmt::format(
                "Follows searches of other cores' L1s, one for each of {} MSHR entries, from their probes to "
                "the data (DC-L1 thesis, section 3.3.6).",
                p.entries));
  const ProbeTablePorts ports(m, p);
  ProbeEntries entries(m, p);
  std::optional<TableStages> stages;
  if (p.stages) stages.emplace(TableStages{LateSequence(m, p.entries, sequence_bits(p))});
  const TableParts t{m, p, entries, stages ? &*stages : nullptr};

  const LineArrived line = line_arrived(t, ports.reply);
  const ProbeReturned returned = probe_returned(t, ports.back);
  const auto [queue, changes] = search_queue(t, ports.miss, line);
  const Expr asked_bits = l2_asked(t, ports.ask, changes);
  std::optional<LeaderSent> leader;
  if (ports.probe.leader) leader = leader_sent(t, *ports.probe.leader, ports.list.free_slots);
  const ListTaken listed = list_taken(t, ports.list, ports.probe, queue, leader, changes.waits_no_longer);
  const SearchBegun begun = search_begun(t, ports.miss, queue.begins);
  const TableEvents events{line, returned, queue.timed_bits, asked_bits, leader, listed, begun};

  entries.loops();
  entries.change_states(events);
  if (stages) stages->kept.clocked(m);
  entries.change_fields(events, ports.miss);
  drive_status(m, ports.status, entries, queue);
  entries.observe();
  return m;
}

}  // namespace hw
