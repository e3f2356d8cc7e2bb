// `l1forge explore`: any set of cache configurations, or of topologies of caches, over any traces or a
// request list.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/explore/result.h"
#include "gen/reports.h"
#include "gen/system/system_config.h"
#include "golden/gpu/below.h"
#include "golden/gpu/sm.h"

namespace gen {

struct ExploreRequest {
  std::vector<std::string> traces;
  std::string requests;       // a request list instead
  std::string dump;           // of a request list: a character a request; of a topology a line
  std::optional<bool> timed;  // unset: single caches on traces, and nothing else
  int sms = 1;
  bool sms_given = false, scheduler_given = false;  // by a flag, which wins over a system
  std::vector<Config> memories = {};                // of two nodes, each a run; none: the usual one
  golden::Below below = {};                         // that, timed
  std::optional<SystemConfig> system = {};          // the GPU around the caches, where one is named
  std::string scheduler = "gto";                    // gto lrr two-level
  int threads = 0;                                  // 0 = as many as there are cores
  Reports reports = {};
  std::string html;
  Origin origin = {};  // what the page says of where it comes from
};

// Prints a table, or nothing where a result goes to standard output. Returns the exit status.
int explore(const std::vector<Config>& configs, const ExploreRequest& request);

// Its runs alone, with all its checks; `request` becomes what was run. `dump` is that of a request list.
std::vector<RunResult> explored(const std::vector<Config>& configs, ExploreRequest& request,
                                std::string& dump);

// The runs, configuration by configuration for each trace in turn, and memory by memory for each of those.
std::vector<RunResult> explore_untimed(const std::vector<Config>& configs, const ExploreRequest& request);
std::vector<RunResult> explore_timed(const std::vector<Config>& configs, const ExploreRequest& request);
std::vector<RunResult> explore_system(const std::vector<Config>& configs, const ExploreRequest& request);
// `dump` gets one character for each request; it is for a single configuration, or null.
std::vector<RunResult> explore_list(const std::vector<Config>& configs, const ExploreRequest& request,
                                    std::string* dump);

// The same for topologies; a dump has lines "core node slice result".
std::vector<RunResult> explore_topology_list(const std::vector<Config>& configs,
                                             const ExploreRequest& request, std::string* dump);
std::vector<RunResult> explore_topology_untimed(const std::vector<Config>& configs,
                                                const ExploreRequest& request);
std::vector<RunResult> explore_topology_timed(const std::vector<Config>& configs,
                                              const ExploreRequest& request);

// What these share.
// Of a cache itself, of a topology a core's share.
const hw::L1dParams& cache_of(const Config& config);
golden::GpuParams gpu_params(const hw::L1dParams& cache, const ExploreRequest& request);
RunResult empty_result(const Config& config, const ExploreRequest& request, const std::string& trace);
unsigned threads_of(const ExploreRequest& request);
// Configurations that read the same requests: equal geometry and number of cores, by their index in
// `configs`. An input that can be read only once refuses more than one group.
std::vector<std::vector<std::size_t>> geometry_groups(const std::vector<Config>& configs);

}  // namespace gen
