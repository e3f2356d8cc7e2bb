// The table of an exploration: what kind of runs these are, a row a configuration and trace, and what
// monitors decided.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "cosim/harness/history_report.h"
#include "cosim/l1d/latency_report.h"
#include "gen/explore/memory_below.h"
#include "gen/explore/report.h"

namespace gen {

namespace {

struct Column {
  std::string heading;
  std::function<std::string(const NamedRun&)> cell;
};

std::string percent(double share) { return fmt::format("{:.2f}", 100 * share); }
std::string count(std::uint64_t n) { return fmt::format("{}", n); }
std::string kibibytes(std::uint64_t bytes) {
  return fmt::format("{:.1f}", static_cast<double>(bytes) / 1024);
}

template <class Has>
bool any(const std::vector<NamedRun>& rows, Has&& has) {
  return std::ranges::any_of(rows, has);
}

// Mean cycles: loads from core to core; messages to homes and slices and back, less the time that they were
// there.
void add_latency(std::vector<Column>& columns, const std::vector<NamedRun>& rows) {
  using golden::TopologyFigures;
  const auto add = [&](const char* heading, double (*cycles)(const TopologyFigures&)) {
    if (any(rows, [&](const NamedRun& r) { return r.run->topology && cycles(r.run->topology->figures) > 0; }))
      columns.push_back({heading, [=](const NamedRun& r) {
                           return fmt::format("{:.1f}", cycles(r.run->topology->figures));
                         }});
  };
  add("latency", [](const TopologyFigures& f) { return f.loads.mean(); });
  add("to homes", [](const TopologyFigures& f) { return f.home_trips.mean() - f.at_homes.mean(); });
  add("at homes", [](const TopologyFigures& f) { return f.at_homes.mean(); });
  add("to slices", [](const TopologyFigures& f) {
    return f.slice_trips.messages ? f.slice_trips.mean() - f.at_slices.mean() : 0;
  });
  add("at slices", [](const TopologyFigures& f) { return f.at_slices.mean(); });
}

// Of loads at the ports of SMs' caches: the median and the 99th percentile of their cycles.
void add_port_latency(std::vector<Column>& columns, const std::vector<NamedRun>& rows) {
  if (any(rows, [](const NamedRun& r) { return r.run->topology.has_value(); })) return;
  columns.push_back(
      {"hits p50/p99", [](const NamedRun& r) { return verif::words_of(r.total.latency.hits()); }});
  columns.push_back(
      {"others p50/p99", [](const NamedRun& r) { return verif::words_of(r.total.latency.others()); }});
}

// Of topologies whose cores search each other's L1s; others have dashes.
void add_remote(std::vector<Column>& columns, const std::vector<NamedRun>& rows) {
  using Figures = golden::RemoteFigures;
  const auto remote = [](const NamedRun& r) {
    return r.run->topology ? r.run->topology->figures.remote : std::nullopt;
  };
  if (!any(rows, [&](const NamedRun& r) { return remote(r).has_value(); })) return;
  const auto add = [&](const char* heading, std::string (*figure)(const NamedRun&, const Figures&)) {
    columns.push_back({heading, [=](const NamedRun& r) { return remote(r) ? figure(r, *remote(r)) : "-"; }});
  };
  add("cores %",
      [](const NamedRun& r, const Figures& f) { return percent(share(f.served(), r.total.counters.loads)); });
  add("precision %", [](const NamedRun&, const Figures& f) { return percent(f.precision()); });
  add("recall %", [](const NamedRun&, const Figures& f) { return percent(f.recall()); });
  add("probes", [](const NamedRun&, const Figures& f) { return fmt::format("{:.2f}", f.probes_a_line()); });
  add("busiest",
      [](const NamedRun&, const Figures& f) { return fmt::format("{:.2f}", f.imbalance(f.supplied)); });
  if (any(rows, [&](const NamedRun& r) { return remote(r) && remote(r)->losses.has_value(); })) {
    add("late %", [](const NamedRun&, const Figures& f) {
      return f.losses ? percent(share(f.losses->timed_out, f.searches)) : "-";
    });
    add("deflected %", [](const NamedRun&, const Figures& f) {
      return f.losses ? percent(share(f.losses->deflected, f.probes)) : "-";
    });
    add("dropped %", [](const NamedRun&, const Figures& f) {
      return f.losses ? percent(share(f.losses->dropped, f.probes)) : "-";
    });
  }
  if (any(rows, [&](const NamedRun& r) { return remote(r) && remote(r)->stale_loads.has_value(); }))
    add("stale", [](const NamedRun&, const Figures& f) { return count(f.stale_loads.value_or(0)); });
}

// Of runs in a system: instructions of threads a cycle, and what L2 and DRAM came to.
void add_system(std::vector<Column>& columns, const std::vector<NamedRun>& rows) {
  if (!any(rows, [](const NamedRun& r) { return r.run->system.has_value(); })) return;
  columns.push_back({"IPC", [](const NamedRun& r) {
                       return fmt::format("{:.2f}", share(r.run->system->thread_instructions, r.run->cycles));
                     }});
  if (!any(rows, [](const NamedRun& r) { return r.run->system->memory.has_value(); })) return;
  columns.push_back({"L2 hit %", [](const NamedRun& r) {
                       const golden::L2Counters& l2 = r.run->system->memory->l2;
                       return percent(share(l2.hits, l2.accesses));
                     }});
  columns.push_back({"row hit %", [](const NamedRun& r) {
                       const golden::DramCounters& d = r.run->system->memory->dram;
                       return percent(share(d.row_hits, d.reads + d.writes));
                     }});
  columns.push_back({"DRAM KiB", [](const NamedRun& r) {
                       const golden::DramCounters& d = r.run->system->memory->dram;
                       return kibibytes(d.bytes_read + d.bytes_written);
                     }});
}

std::vector<Column> columns_for(const std::vector<NamedRun>& rows) {
  std::vector<Column> columns{
      {"trace", [](const NamedRun& r) { return r.trace; }},
      {"configuration", [](const NamedRun& r) { return r.configuration; }},
      {"loads", [](const NamedRun& r) { return count(r.total.counters.loads); }},
      {"hit %", [](const NamedRun& r) { return percent(hit_rate(r.total.counters)); }},
      {"miss %", [](const NamedRun& r) { return percent(miss_rate(r.total.counters)); }},
      {"partial %", [](const NamedRun& r) { return percent(partial_rate(r.total.counters)); }},
      {"packets", [](const NamedRun& r) { return count(r.traffic.packets_down); }},
      {"KiB down", [](const NamedRun& r) { return kibibytes(r.traffic.bytes_down); }},
      {"KiB up", [](const NamedRun& r) { return kibibytes(r.traffic.bytes_up); }},
      {"sets' cv",
       [](const NamedRun& r) { return fmt::format("{:.3f}", distribution(r.total.set_loads).variation); }}};
  if (any(rows, [](const NamedRun& r) { return r.total.counters.bypasses != 0; })) {
    columns.push_back({"bypass %", [](const NamedRun& r) { return percent(bypass_rate(r.total.counters)); }});
    columns.push_back({"fills", [](const NamedRun& r) { return count(r.total.counters.fills); }});
  }
  if (any(rows, [](const NamedRun& r) { return !!r.run->mean_replicas; }))
    columns.push_back({"replicas", [](const NamedRun& r) {
                         return fmt::format("{:.2f}", r.run->mean_replicas.value_or(0));
                       }});
  const bool timed = any(rows, [](const NamedRun& r) { return r.run->timed; });
  if (!timed && any(rows, [](const NamedRun& r) { return !!r.run->topology; }))
    columns.push_back(
        {"elsewhere %", [](const NamedRun& r) { return percent(replication_ratio(*r.run->topology)); }});
  add_remote(columns, rows);
  if (timed) {
    columns.push_back(
        {"fails", [](const NamedRun& r) { return count(reservation_fails(r.total.counters)); }});
    columns.push_back({"cycles", [](const NamedRun& r) { return count(r.run->cycles); }});
    add_system(columns, rows);
    add_latency(columns, rows);
    add_port_latency(columns, rows);
  }
  if (any(rows, [](const NamedRun& r) { return !!r.run->nodes; })) {
    columns.push_back({"GB/s", [](const NamedRun& r) {
                         return fmt::format("{:.1f}", gigabytes(*r.run->nodes, r.run->cycles));
                       }});
    columns.push_back({"GPU pages %", [](const NamedRun& r) { return percent(gpu_share(*r.run->nodes)); }});
  }
  return columns;
}

// One line a row, columns as wide as their widest cell; all but the first two are flush right.
std::string aligned(const ExploreTable& table) {
  std::vector<std::vector<std::string>> lines{table.headings};
  lines.insert(lines.end(), table.rows.begin(), table.rows.end());
  std::vector<std::size_t> widths(table.headings.size());
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string out;
  for (const auto& cells : lines) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i)
      line +=
          i < 2 ? fmt::format("{:<{}}  ", cells[i], widths[i]) : fmt::format("{:>{}}  ", cells[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

// Untimed, all warps whose turn it is take it; on hardware a warp whose loads fill the MSHR file has it for
// itself, keeps its lines and goes on before the next.
std::vector<std::string> warnings(const std::vector<NamedRun>& rows) {
  constexpr double enough = 0.01;
  std::vector<std::string> out;
  std::set<std::string> warned;
  for (const NamedRun& r : rows) {
    const LoadWidths& w = r.total.widths;
    const auto loads = static_cast<double>(std::max<std::uint64_t>(w.loads, 1));
    const double share = static_cast<double>(w.wide) / loads;
    if (r.run->scheduler != "gto" || share < enough || !warned.insert(r.trace).second) continue;
    out.push_back(fmt::format(
        "warning: {}: a load asks for {:.1f} lines on average, {:.0f} % of them for more than {}: two do not "
        "fit into {} MSHR entries, so that in hardware a GTO warp is served before another gets in; these "
        "rates may be far off, see {}",
        r.trace, static_cast<double>(w.lines) / loads, 100 * share, r.run->mshr_entries / 2,
        r.run->mshr_entries, r.run->topology ? "--timed" : "the timed run"));
  }
  return out;
}

// How often the controllers of all cores have decided what, by its words.
std::vector<std::string> organisations_of(const RunResult& run) {
  std::map<int, std::size_t> decided;
  const golden::History* history = nullptr;
  for (const SmResult& sm : run.sms) {
    history = &*std::ranges::find(sm.histories, "organisation_history", &golden::History::name);
    for (const auto& change : history->changes) ++decided[change.value[0]];
  }
  std::vector<std::string> lines;
  for (const auto& [word, times] : decided)
    lines.push_back(fmt::format("  {}: {}", history->label(word), times));
  return lines;
}

// What the runs are: all of one exploration are of the same kind.
std::string table_head(const std::vector<NamedRun>& runs) {
  const RunResult& first = *runs[0].run;
  if (first.from_list) return "untimed: requests in the order of the list, every fill immediate";
  if (first.system)
    return fmt::format("timed, in the system {}: {}", first.system->name, first.system->described);
  if (first.timed)
    return fmt::format("timed, {}: cycle by cycle, with {}", first.scheduler, described_memory(first));
  return fmt::format(
      "untimed, {}: every fill immediate, a load that misses holds its warp for {} more requests; {} for "
      "cycles",
      first.scheduler, golden::GpuParams().load_wait, first.topology ? "--timed" : "without --untimed");
}

}  // namespace

ExploreTable explore_figures(const std::vector<RunResult>& results) {
  const std::vector<NamedRun> runs = named_runs(results);
  ExploreTable table;
  table.head = table_head(runs);
  table.warnings = warnings(runs);
  table.rows.resize(runs.size());
  for (const Column& column : columns_for(runs)) {
    table.headings.push_back(column.heading);
    for (std::size_t i = 0; i < runs.size(); ++i) table.rows[i].push_back(column.cell(runs[i]));
  }
  for (const NamedRun& r : runs) {
    if (r.run->organised())
      table.decisions.push_back(
          {fmt::format("{} on {}: decisions of {} cores", r.configuration, r.trace, r.run->sms.size()),
           organisations_of(*r.run)});
    if (!r.run->adaptive() && !r.run->limited()) continue;
    const SmResult& first = r.run->sms[0];
    auto& [about, lines] = table.decisions.emplace_back();
    about = fmt::format("{} on {}{}: {} changes in {} selections, exact MRP agrees in {}", r.configuration,
                        r.trace, of_first_cache(*r.run), first.adi_events.changed,
                        first.adi_events.selections, first.adi_events.agreed);
    for (const golden::History& history : first.histories)
      std::ranges::move(verif::lines_of(history), std::back_inserter(lines));
  }
  return table;
}

std::string explore_table(const std::vector<RunResult>& results) {
  const ExploreTable table = explore_figures(results);
  std::string text = table.head + "\n";
  for (const std::string& warning : table.warnings) text += warning + "\n";
  text += aligned(table);
  for (const auto& [about, lines] : table.decisions)
    text += fmt::format("\n{}\n{}\n", about, fmt::join(lines, "\n"));
  return text;
}

}  // namespace gen
