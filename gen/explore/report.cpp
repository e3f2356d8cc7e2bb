#include "gen/explore/report.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>

#include "cosim/harness/history_report.h"
#include "cosim/harness/system_json.h"
#include "cosim/l1d/latency_report.h"
#include "cosim/noc/topology_report.h"
#include "gen/explore/memory_below.h"
#include "golden/trace/open/trace_name.h"

namespace gen {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Distribution& s) {
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
  json["set_load_distribution"] = json_of(distribution(sm.set_loads));
  if (run.adaptive()) {
    const golden::AdiEvents& e = sm.adi_events;
    json["adaptive"] = {{"selections", e.selections},
                        {"changes", e.changed},
                        {"victims_by_entropy", e.by_entropy},
                        {"victims_by_correlation", e.by_correlation},
                        {"agree_with_exact_mrp", e.agreed}};
  }
  for (const golden::History& history : sm.histories) {
    if (!history.of_all) json[history.name] = verif::json_of(history);
    if (run.timed && !history.held.empty()) json[history.key] = verif::summary_of(history);
  }
  if (!sm.histories.empty()) json["timeline"] = verif::json_of(sm.timeline, run.limited());
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
  for (size_t i = 1; i < golden::traffic_stalls; ++i)
    json["stalls"][std::string(golden::stall_names[i])] = sm.stalls[i];
  if (run.topology) return;
  json["sm_cycles"] = json_of(sm.cycles);
  if (run.system) json["cycles_by_cause"] = verif::json_of(sm.causes);
  json["latency"] = verif::json_of(sm.latency);
  for (size_t d = 1; d < sm.loads_by_degree.size(); ++d)
    if (const LoadsOfDegree& of = sm.loads_by_degree[d]; of.loads)
      json["loads_by_degree"].push_back(
          {{"degree", d}, {"loads", of.loads}, {"all_hits", of.all_hits}, {"cycles", of.cycles}});
}

// What is known of a topology beside the sums of its caches.
void add_topology(Json& json, const RunResult& run) {
  const TopologyResult& t = *run.topology;
  if (!run.timed) json["replication_ratio"] = replication_ratio(t);
  json["slice_requests"] = t.slice_requests;
  if (!run.from_list) json["instructions"] = t.instructions;
  if (run.timed) json["core_cycles"] = json_of(t.core_cycles);
  if (run.system) json["cycles_by_cause"] = verif::json_of(t.causes);
  verif::add_figures(json, t.figures);
  Json& caches = json[t.caches_in_nodes ? "per_node" : "per_core"] = Json::array();
  for (const SmResult& sm : run.sms) add_figures(caches.emplace_back(Json::object()), sm, run);
}

// What is known of a run in a system beside its caches.
void add_system(Json& json, const RunResult& run) {
  const SystemResult& s = *run.system;
  json["warp_instructions"] = s.warp_instructions;
  json["thread_instructions"] = s.thread_instructions;
  json["ipc"] = share(s.thread_instructions, run.cycles);
  json["issue_cycles"] = verif::json_of(s.issue_cycles);
  if (!s.memory) return;
  const BytesPerCycle bytes = bytes_per_cycle(run);
  json["roofline"] = {{"instructions_per_cycle", share(s.warp_instructions, run.cycles)},
                      {"network_bytes_per_cycle", bytes.network},
                      {"dram_bytes_per_cycle", bytes.dram},
                      {"roofs",
                       {{"instructions_per_cycle", s.roofs.instructions},
                        {"network_bytes_per_cycle", s.roofs.network_bytes},
                        {"dram_bytes_per_cycle", s.roofs.dram_bytes}}}};
  verif::add_memory(json, *s.memory);
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
  if (run.system) json["system"] = run.system->name;
  if (run.timed && !run.nodes && !run.system)
    json["memory_latency"] = run.below.latency, json["memory_bandwidth"] = run.below.bytes;
  if (run.nodes) json["memory"] = run.memory, json["nodes"] = nodes_json(*run.nodes, run.cycles);
  return json;
}

}  // namespace

std::vector<NamedRun> named_runs(const std::vector<RunResult>& results) {
  std::vector<std::string> configurations, traces, memories;
  for (const RunResult& run : results) {
    configurations.push_back(run.configuration);
    traces.push_back(run.trace);
    memories.push_back(run.memory);
  }
  configurations = short_names(configurations);
  traces = short_names(traces);
  memories = short_names(memories);
  for (std::size_t i = 0; i < results.size(); ++i)
    if (!memories[i].empty()) configurations[i] += ", " + memories[i];
  std::vector<NamedRun> named;
  for (std::size_t i = 0; i < results.size(); ++i) {
    SmResult total = results[i].total();
    const Traffic t = traffic(total, results[i].chunk_bytes);
    named.push_back({&results[i], traces[i], configurations[i], std::move(total), t});
  }
  return named;
}

std::string of_first_cache(const RunResult& run) {
  if (run.sms.size() == 1) return "";
  return !run.topology ? ", SM 0" : run.topology->caches_in_nodes ? ", node 0" : ", core 0";
}

Json explore_json(const std::vector<RunResult>& results) {
  Json runs = Json::array();
  for (const RunResult& run : results) {
    Json json = head_of(run);
    if (run.system) add_system(json, run);
    add_figures(json, run.total(), run);
    if (run.duel.intervals)
      json["dueling"] = {{"intervals", run.duel.intervals},
                         {"filtering", run.duel.filtering},
                         {"switches", run.duel.switches}};
    if (run.mean_replicas) json["mean_replicas"] = *run.mean_replicas;
    if (const LoadWidths w = run.total().widths; w.loads) {
      json["lines_per_load"] = static_cast<double>(w.lines) / static_cast<double>(w.loads);
      json["wide_loads"] = w.wide;
    }
    if (run.topology)
      add_topology(json, run);
    else
      for (const golden::History& history : run.sms[0].histories)
        if (history.of_all) json[history.name] = verif::json_of(history);
    if (!run.topology && run.sms.size() > 1) {
      json["per_sm"] = Json::array();
      for (const SmResult& sm : run.sms) add_figures(json["per_sm"].emplace_back(Json::object()), sm, run);
    }
    runs.push_back(std::move(json));
  }
  return {{"runs", std::move(runs)}};
}

}  // namespace gen
