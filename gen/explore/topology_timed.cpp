// Timed topologies: the golden model of each is a program of its own, which runs the kernels cycle by cycle.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cosim/noc/system_report.h"
#include "cosim/noc/topology_report.h"
#include "gen/config/json_file.h"
#include "gen/cosim/program.h"
#include "gen/explore/explore.h"
#include "gen/explore/progress.h"
#include "gen/explore/system_run.h"
#include "gen/explore/topology.h"
#include "gen/explore/topology_program.h"
#include "gen/explore/workers.h"
#include "gen/files.h"
#include "gen/process.h"
#include "gen/system/system_checks.h"
#include "golden/cache/functional_l1d.h"
#include "golden/gpu/system/system_fields.h"
#include "golden/topology/kinds.h"
#include "golden/topology/organisation_history.h"
#include "hw/shared/marks_params.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

using Histories = std::vector<golden::History>;

// What is published of each cache of the topology: its monitors' histories and what stands beside it, with
// nothing decided yet.
Histories published(const hw::TopologyParams& params) {
  Histories all;
  const auto cache = golden::FunctionalL1d::make(params.l1d);
  for (const golden::History* history : cache->histories()) all.emplace_back(*history).changes.clear();
  if (params.shape.kind == hw::TopologyKind::shared && hw::has_controllers(params.shared))
    all.push_back(golden::organisation_history());
  return all;
}

std::vector<int> value_from(const golden::History& history, const nlohmann::ordered_json& value) {
  if (history.words.empty()) return value.get<std::vector<int>>();
  return {
      static_cast<int>(std::ranges::find(history.words, value.get<std::string>()) - history.words.begin())};
}

SmResult cache_from(const nlohmann::ordered_json& json, const Histories& histories) {
  SmResult cache;
  for (const auto& [name, counter] : golden::counter_names)
    cache.counters.*counter = json["counters"][std::string(name)];
  cache.set_loads = json["set_loads"].get<std::vector<std::uint64_t>>();
  cache.chunks_asked = json["chunks_asked"];
  cache.stalls = json["stalls"];
  for (const golden::History& history : histories) {
    if (!json.contains(history.name)) continue;
    golden::History& taken = cache.histories.emplace_back(history);
    for (const nlohmann::ordered_json& change : json[history.name])
      taken.changes.push_back({change["loads"], value_from(history, change[history.key])});
  }
  return cache;
}

RunResult result_from(RunResult result, const nlohmann::ordered_json& json, const Histories& histories) {
  result.cycles = json["cycles"];
  for (std::size_t i = 0; i < result.sms.size(); ++i)
    result.sms[i] = cache_from(json["caches"][i], histories);
  TopologyResult& t = *result.topology;
  t.instructions = json["instructions"];
  result.mean_replicas = json["mean_replicas"].get<double>();
  t.slice_requests = json["slice_requests"].get<std::vector<std::uint64_t>>();
  t.figures = verif::figures_of(json);
  const nlohmann::ordered_json& cycles = json["core_cycles"];
  t.core_cycles = {cycles["sending"], cycles["refused"], cycles["waiting"], cycles["empty"]};
  return result;
}

// What the program writes about the system, beside its report of the topology.
SystemResult system_from(const verif::SystemReport& report, const SystemConfig& system) {
  SystemResult result;
  result.warp_instructions = report.warp_instructions;
  result.thread_instructions = report.thread_instructions;
  result.issue_cycles = report.issue_cycles;
  result.memory = report.memory;
  result.roofs = roofs_of(system.values, golden::L2Params::line_bytes);
  result.name = system.source;
  result.described = described(system);
  return result;
}

nlohmann::json options_of(const fs::path& folder, const Config& config, const ExploreRequest& request,
                          const std::string& trace) {
  nlohmann::json options{{"top", config.top},
                         {"traces", {trace}},
                         {"scheduler", request.scheduler},
                         {"report", (folder / "report.json").string()}};
  if (request.system) {
    const golden::SystemParams& system = request.system->values;
    options["system"] = golden::numbers_of(system);
    options["hit_delay"] = hit_delay(golden::cache_params(config.get<hw::TopologyParams>()), system);
    options["system_report"] = (folder / "system.json").string();
  } else {
    options["memory_latency"] = request.below.latency;
    options["memory_bandwidth"] = request.below.bytes;
  }
  return options;
}

RunResult run_one(const fs::path& program, const Config& config, const ExploreRequest& request,
                  const std::string& trace) {
  const TempDir work("explore");
  write_file_atomically(work / "options.json", options_of(work / "", config, request, trace).dump());
  const Finished done = run({.argv = {program.string(), (work / "options.json").string()}});
  if (!done.ok()) {
    std::string_view why = done.output;
    if (why.starts_with("l1forge: ")) why.remove_prefix(9);
    throw ToolError(log_tail(why));
  }
  RunResult result = result_from(empty_topology_result(config, request, trace),
                                 nlohmann::ordered_json::parse(read_file(work / "report.json"))[0],
                                 published(config.get<hw::TopologyParams>()));
  if (!request.system) return result;
  const verif::SystemReport report =
      verif::system_report_of(nlohmann::ordered_json::parse(read_file(work / "system.json")));
  result.system = system_from(report, *request.system);
  result.topology->causes = report.causes;
  return result;
}

}  // namespace

std::vector<RunResult> explore_topology_timed(const std::vector<Config>& configs,
                                              const ExploreRequest& request) {
  if (std::ranges::count(request.traces, "-"))
    throw ConfigError("--trace -", "a timed run of a topology reads files, not standard input");
  check_names(nlohmann::json(request.traces));
  std::vector<fs::path> programs(configs.size());
  Workers workers(threads_of(request));
  workers.run(configs.size(), [&](size_t i) {
    programs[i] = build_program(
        {.name = (request.system ? "system_" : "golden_") + configs[i].top,
         .main = (request.system ? system_main : golden_main)(configs[i].get<hw::TopologyParams>())});
  });
  std::vector<RunResult> results(configs.size() * request.traces.size());
  Progress progress("explore --timed", "cycles", results.size());
  workers.run(results.size(), [&](size_t i) {
    const size_t c = i % configs.size();
    results[i] = run_one(programs[c], configs[c], request, request.traces[i / configs.size()]);
    progress.show(i, 1, results[i].cycles);
  });
  return results;
}

}  // namespace gen
