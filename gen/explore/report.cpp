#include "gen/explore/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "verif/lockstep/units/history_report.h"

namespace gen {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Spread& s) {
  return {{"min", s.min}, {"mean", s.mean}, {"max", s.max}, {"coefficient_of_variation", s.variation}};
}

Json json_of(const golden::Sm::Cycles& c) {
  return {{"sending", c.sending}, {"refused", c.refused}, {"waiting", c.waiting}, {"empty", c.empty}};
}

// Everything that is counted for a cache, or for all of them together.
void add_figures(Json& json, const SmResult& sm, const RunResult& run) {
  for (const auto& [name, counter] : golden::counter_names) json[std::string(name)] = sm.counters.*counter;
  json["set_loads"] = sm.set_loads;
  json["hit_rate"] = hit_rate(sm.counters);
  json["miss_rate"] = miss_rate(sm.counters);
  const Traffic t = traffic(sm, run.chunk_bytes);
  json["traffic"] = {{"packets_down", t.packets_down},
                     {"bytes_down", t.bytes_down},
                     {"packets_up", t.packets_up},
                     {"bytes_up", t.bytes_up}};
  json["set_load_distribution"] = json_of(spread(sm.set_loads));
  if (run.adaptive()) {
    const golden::AdiEvents& e = sm.adi_events;
    json["adaptive"] = {{"selections", e.selections},
                        {"changes", e.changed},
                        {"victims_by_entropy", e.by_entropy},
                        {"victims_by_correlation", e.by_correlation},
                        {"agree_with_exact_mrp", e.agreed}};
  }
  for (const golden::History& history : sm.histories)
    if (!history.of_all) json[history.name] = verif::json_of(history);
  if (!sm.histories.empty()) {
    for (const Timeline::Part& part : sm.timeline.parts()) {
      json["timeline"]["loads"].push_back(part.loads);
      json["timeline"]["misses"].push_back(part.misses);
    }
  }
  if (!run.from_list && !run.topology) {
    json["instructions"] = sm.instructions;
    json["requests_per_instruction"] =
        sm.instructions ? static_cast<double>(sm.counters.accesses) / static_cast<double>(sm.instructions)
                        : 0.0;
  }
  if (!run.timed) {
    json["chunk_use"] = sm.chunk_use;
    return;
  }
  json["reservation_fails"] = reservation_fails(sm.counters);
  for (size_t i = 1; i < sm.stalls.size(); ++i)
    json["stalls"][std::string(golden::stall_names[i])] = sm.stalls[i];
  if (!run.topology) json["sm_cycles"] = json_of(sm.cycles);
}

// What is known of a topology beside the sums of its caches.
void add_topology(Json& json, const RunResult& run) {
  const TopologyResult& t = *run.topology;
  json["mean_replicas"] = t.replicas;
  if (!run.timed)
    json["replication_ratio"] =
        t.missed ? static_cast<double>(t.elsewhere) / static_cast<double>(t.missed) : 0.0;
  json["slice_requests"] = t.slice_requests;
  if (!run.from_list) json["instructions"] = t.instructions;
  if (run.timed) json["core_cycles"] = json_of(t.core_cycles);
  Json& caches = json[t.caches_in_nodes ? "per_node" : "per_core"] = Json::array();
  for (const SmResult& sm : run.sms) add_figures(caches.emplace_back(Json::object()), sm, run);
}

Json head_of(const RunResult& run) {
  Json json = {{"configuration", run.configuration},
               {"preset", run.preset},
               {"top", run.top},
               {run.from_list ? "requests" : "trace", run.trace},
               {"mode", run.timed ? "timed" : "untimed"}};
  if (run.topology) {
    const TopologyResult& t = *run.topology;
    json["topology"] = {{"kind", t.kind},     {"cores", t.cores},       {"nodes", t.nodes},
                        {"slices", t.slices}, {"clusters", t.clusters}, {"boost", t.boost}};
  } else {
    json["sms"] = run.sms.size();
  }
  if (!run.from_list) json["scheduler"] = run.scheduler;
  if (run.timed) json["cycles"] = run.cycles;
  return json;
}

// One line a row, columns as wide as their widest cell; all but the first two are flush right.
std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths(rows[0].size());
  for (const auto& row : rows)
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += i < 2 ? fmt::format("{:<{}}  ", row[i], widths[i]) : fmt::format("{:>{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace

std::vector<std::string> short_names(const std::vector<std::string>& names) {
  const auto shorter = [](const std::string& name) {
    if (name.starts_with("builtin:")) return name.substr(8);
    std::string stem = std::filesystem::path(name).filename().string();
    for (const char* ending : {".xz", ".toml", ".rec", ".traceg"})
      if (stem.size() > std::string_view(ending).size() && stem.ends_with(ending))
        stem.resize(stem.size() - std::string_view(ending).size());
    return stem.empty() ? name : stem;
  };
  std::map<std::string, std::set<std::string>> meant;
  for (const auto& name : names) meant[shorter(name)].insert(name);
  std::vector<std::string> out;
  for (const auto& name : names) out.push_back(meant[shorter(name)].size() > 1 ? name : shorter(name));
  return out;
}

Json explore_json(const std::vector<RunResult>& results) {
  Json runs = Json::array();
  for (const RunResult& run : results) {
    Json json = head_of(run);
    add_figures(json, run.total(), run);
    if (run.duel.intervals)
      json["dueling"] = {{"intervals", run.duel.intervals},
                         {"filtering", run.duel.filtering},
                         {"switches", run.duel.switches}};
    if (run.topology)
      add_topology(json, run);
    else
      for (const golden::History& history : run.sms[0].histories)
        if (history.of_all) json[history.name] = verif::json_of(history);
    if (!run.topology && run.sms.size() > 1) {
      json["replicas"] = {{"mean", run.mean_replicas()}, {"samples", run.replica_samples}};
      json["per_sm"] = Json::array();
      for (const SmResult& sm : run.sms) add_figures(json["per_sm"].emplace_back(Json::object()), sm, run);
    }
    runs.push_back(std::move(json));
  }
  return {{"runs", std::move(runs)}};
}

std::string explore_table(const std::vector<RunResult>& results) {
  const bool timed = std::ranges::any_of(results, &RunResult::timed);
  const bool topologies = std::ranges::any_of(results, [](const RunResult& r) { return !!r.topology; });
  const bool several =
      !topologies && std::ranges::any_of(results, [](const RunResult& r) { return r.sms.size() > 1; });
  const bool bypasses =
      std::ranges::any_of(results, [](const RunResult& r) { return r.total().counters.bypasses != 0; });
  std::vector<std::string> configurations, traces;
  for (const RunResult& run : results) {
    configurations.push_back(run.configuration);
    traces.push_back(run.trace);
  }
  configurations = short_names(configurations);
  traces = short_names(traces);
  std::vector<std::vector<std::string>> rows;
  rows.push_back({"trace", "configuration", "loads", "hit %", "miss %", "partial %", "packets", "KiB down",
                  "KiB up", "sets' cv"});
  if (bypasses) rows[0].insert(rows[0].end(), {"bypass %", "fills"});
  if (several || topologies) rows[0].emplace_back("replicas");
  if (topologies && !timed) rows[0].emplace_back("elsewhere %");
  if (timed) rows[0].insert(rows[0].end(), {"fails", "cycles"});
  for (size_t i = 0; i < results.size(); ++i) {
    const SmResult sum = results[i].total();
    const Traffic t = traffic(sum, results[i].chunk_bytes);
    auto& row = rows.emplace_back();
    row = {traces[i],
           configurations[i],
           fmt::format("{}", sum.counters.loads),
           fmt::format("{:.2f}", 100 * hit_rate(sum.counters)),
           fmt::format("{:.2f}", 100 * miss_rate(sum.counters)),
           fmt::format("{:.2f}", 100 * partial_rate(sum.counters)),
           fmt::format("{}", t.packets_down),
           fmt::format("{:.1f}", static_cast<double>(t.bytes_down) / 1024),
           fmt::format("{:.1f}", static_cast<double>(t.bytes_up) / 1024),
           fmt::format("{:.3f}", spread(sum.set_loads).variation)};
    if (bypasses) {
      row.push_back(fmt::format("{:.2f}", 100 * bypass_rate(sum.counters)));
      row.push_back(fmt::format("{}", sum.counters.fills));
    }
    if (several) row.push_back(fmt::format("{:.2f}", results[i].mean_replicas()));
    if (const auto& t = results[i].topology) {
      row.push_back(fmt::format("{:.2f}", t->replicas));
      if (!timed) {
        const auto missed = static_cast<double>(std::max<std::uint64_t>(t->missed, 1));
        row.push_back(fmt::format("{:.2f}", 100 * static_cast<double>(t->elsewhere) / missed));
      }
    }
    if (timed) {
      row.push_back(fmt::format("{}", reservation_fails(sum.counters)));
      row.push_back(fmt::format("{}", results[i].cycles));
    }
  }
  std::string table = aligned(rows);
  for (size_t i = 0; i < results.size(); ++i) {
    if (!results[i].adaptive()) continue;
    const SmResult& sm = results[i].sms[0];
    table += fmt::format("\n{} on {}{}: {} changes in {} selections, exact MRP agrees in {}\n",
                         configurations[i], traces[i],
                         several      ? ", SM 0"
                         : topologies ? ", cache 0"
                                      : "",
                         sm.adi_events.changed, sm.adi_events.selections, sm.adi_events.agreed);
    for (const golden::History& history : sm.histories)
      for (const std::string& line : verif::lines_of(history)) table += line + "\n";
  }
  return table;
}

}  // namespace gen
