#include "gen/explore/explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <thread>

#include "gen/charts/vega.h"
#include "gen/explore/dueling.h"
#include "gen/explore/memory_below.h"
#include "gen/explore/report.h"
#include "gen/files.h"
#include "gen/system/system_checks.h"
#include "hw/banks/banked_l1d.h"
#include "hw/l1d/controls_params.h"
#include "hw/l1d/l1d.h"
#include "hw/require.h"
#include "hw/topology/topology.h"

namespace gen {

namespace {

int cores_of(const Config& config) {
  return is_topology(config) ? config.get<hw::TopologyParams>().shape.cores : 0;
}

void check_units(const std::vector<Config>& configs) {
  for (const Config& config : configs) {
    if (!is_topology(config) && !is_banked(config) && !config.params.holds<hw::L1dParams>())
      throw ConfigError(config.source,
                        fmt::format("{} is not a cache; explore needs caches, such as l1d, or topologies, "
                                    "such as dc_l1",
                                    config.preset));
    if (is_topology(config) != is_topology(configs[0]))
      throw ConfigError(config.source,
                        fmt::format("a {} and a {} do not run side by side; compare topologies with "
                                    "topology.kind = \"baseline\"",
                                    is_topology(config) ? "topology" : "cache",
                                    is_topology(config) ? "cache" : "topology"));
    if (is_topology(config))
      with_places(config, [&] { hw::check(config.get<hw::TopologyParams>()); });
    else if (is_banked(config))
      with_places(config, [&] { hw::check(config.get<hw::BankedL1dParams>()); });
    else
      with_places(config, [&] { hw::check(config.get<hw::L1dParams>()); });
  }
}

// Nobody drives what their caches would follow.
void check_topology(const Config& config, int sms, bool in_system) {
  if (sms > 1 && !in_system)
    throw ConfigError("--sms", fmt::format("{} has {} cores; use topology.cores", config.source,
                                           config.get<hw::TopologyParams>().shape.cores));
  check_undriven(config);
}

// What a system decides itself is not said beside it.
void check_system(const std::vector<Config>& configs, const ExploreRequest& r) {
  if (!r.system) return;
  if (!r.requests.empty()) throw ConfigError("--system", "needs traces; a request list has no time");
  if (!r.timed.value_or(true))
    throw ConfigError("--untimed", "has no cycles, which --system is for; leave one out");
  if (!r.memories.empty())
    throw ConfigError("--memory", "is part of a system; set system.memory = \"two_nodes\" in its file");
  for (const Config& config : configs)
    check_in_system(config, *r.system, r.sms_given ? r.sms : r.system->values.sms);
}

void check_request(const std::vector<Config>& configs, const ExploreRequest& r) {
  if (r.traces.empty() == r.requests.empty())
    throw ConfigError("explore", "takes traces (--trace FILE...) or a request list (--requests FILE)");
  if (!r.requests.empty()) {
    if (r.timed.value_or(false)) throw ConfigError("--timed", "needs traces; a request list has no time");
    if (r.sms > 1) throw ConfigError("--sms", "a request list drives one cache, needs traces");
  } else if (!r.dump.empty()) {
    throw ConfigError("--dump", "needs a request list (--requests FILE)");
  }
  if (!r.dump.empty() && configs.size() > 1)
    throw ConfigError("--dump", fmt::format("takes one configuration, {} are given", configs.size()));
  r.reports.check();
  if (r.dump == "-" && r.reports.to_stdout())
    throw ConfigError("--dump", fmt::format("and --{} cannot both be standard output",
                                            r.reports.json == "-" ? "json" : "csv"));
  if (r.html == "-") throw ConfigError("--html", "needs the name of a file");
  if (r.html.ends_with(".svg")) check_pictures();
  const auto input = std::ranges::count(r.traces, "-") + (r.requests == "-");
  const auto passes = r.requests.empty() ? configs.size() * std::max<std::size_t>(r.memories.size(), 1)
                                         : geometry_groups(configs).size();
  if (input > 1 || (input == 1 && passes > 1))
    throw ConfigError("standard input", fmt::format("can be read once, but is needed {} times",
                                                    static_cast<size_t>(input) * passes));
}

}  // namespace

const hw::L1dParams& cache_of(const Config& config) {
  return is_topology(config) ? config.get<hw::TopologyParams>().l1d : cache_of_config(config);
}

golden::GpuParams gpu_params(const hw::L1dParams& cache, const ExploreRequest& request) {
  return {.sms = request.sms,
          .scheduler = golden::scheduler_named(request.scheduler),
          .limit = cache.limit,
          .line_bytes = cache.line_bytes,
          .chunk_bytes = cache.chunk_bytes,
          .address_bits = cache.address_bits,
          .id_bits = cache.core_id_bits};
}

RunResult empty_result(const Config& config, const ExploreRequest& request, const std::string& trace) {
  RunResult result;
  result.configuration = config.source;
  result.preset = config.preset;
  result.top = config.top;
  result.trace = trace;
  result.scheduler = request.scheduler;
  result.below = request.below;
  result.timed = request.timed.value_or(false);
  result.from_list = !request.requests.empty();
  result.chunk_bytes = cache_of(config).chunk_bytes;
  result.mshr_entries = cache_of(config).mshr_entries;
  result.sms.resize(static_cast<size_t>(request.sms));
  return result;
}

unsigned threads_of(const ExploreRequest& request) {
  return request.threads ? static_cast<unsigned>(request.threads)
                         : std::max(1u, std::thread::hardware_concurrency());
}

std::vector<std::vector<size_t>> geometry_groups(const std::vector<Config>& configs) {
  std::vector<std::vector<size_t>> groups;
  for (size_t i = 0; i < configs.size(); ++i) {
    const auto& p = cache_of(configs[i]);
    const auto alike = std::ranges::find_if(groups, [&](const std::vector<size_t>& group) {
      const auto& q = cache_of(configs[group[0]]);
      return q.line_bytes == p.line_bytes && q.chunk_bytes == p.chunk_bytes &&
             q.address_bits == p.address_bits && cores_of(configs[group[0]]) == cores_of(configs[i]);
    });
    if (alike == groups.end())
      groups.push_back({i});
    else
      alike->push_back(i);
  }
  return groups;
}

namespace {

std::vector<RunResult> results_of(const std::vector<Config>& configs, const ExploreRequest& request,
                                  std::string& dump) {
  std::string* const dumped = request.dump.empty() ? nullptr : &dump;
  if (is_topology(configs[0]))
    return !request.requests.empty() ? explore_topology_list(configs, request, dumped)
           : *request.timed          ? explore_topology_timed(configs, request)
                                     : explore_topology_untimed(configs, request);
  return !request.requests.empty() ? explore_list(configs, request, dumped)
         : request.system          ? explore_system(configs, request)
         : *request.timed          ? explore_timed(configs, request)
                                   : explore_untimed(configs, request);
}

}  // namespace

std::vector<RunResult> explored(const std::vector<Config>& configs, ExploreRequest& request,
                                std::string& dump) {
  check_units(configs);
  check_system(configs, request);
  if (request.system) {
    golden::SystemParams& system = request.system->values;
    if (request.sms_given) system.sms = request.sms;
    if (request.scheduler_given) system.scheduler = golden::scheduler_named(request.scheduler);
    request.sms = system.sms;
    request.scheduler = std::string(golden::name_of(system.scheduler));
  }
  if (!request.timed)
    request.timed = request.requests.empty() && (!is_topology(configs[0]) || request.system.has_value());
  for (const Config& config : configs)
    is_topology(config) ? check_topology(config, request.sms, request.system.has_value())
                        : check_followers(config, request.sms, request.system);
  check_request(configs, request);
  check_memories(request, !is_topology(configs[0]));
  return results_of(configs, request, dump);
}

int explore(const std::vector<Config>& configs, const ExploreRequest& asked) {
  ExploreRequest request = asked;
  std::string dump;
  const std::vector<RunResult> results = explored(configs, request, dump);
  const nlohmann::ordered_json json = explore_json(results);
  request.reports.write(json, json["runs"]);
  if (!request.html.empty())
    write_file_atomically(request.html, request.html.ends_with(".svg")
                                            ? explore_svg(results, configs)
                                            : explore_html(results, configs, request.origin));
  if (!request.dump.empty() && request.dump != "-") write_file_atomically(request.dump, dump);
  if (!request.reports.to_stdout()) std::cout << (request.dump == "-" ? dump : explore_table(results));
  return 0;
}

}  // namespace gen
