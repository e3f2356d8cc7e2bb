// What an exploration finds out about one configuration on one trace, and the figures derived from it.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gen/explore/load_degrees.h"
#include "gen/share.h"
#include "golden/gpu/below.h"
#include "golden/gpu/memory_side.h"
#include "golden/gpu/sm.h"
#include "golden/gpu/system/cycle_causes.h"
#include "golden/gpu/system/memory_figures.h"
#include "golden/gpu/system/system_sm.h"
#include "golden/l1d/l1d_figures.h"
#include "golden/l1d/port_latency.h"
#include "golden/l1d/timeline.h"
#include "golden/topology/figures.h"
#include "golden/topology/replicas.h"

namespace gen {

// How many lines the loads of warps ask for, each of them at once.
struct LoadWidths {
  std::uint64_t loads = 0, lines = 0;
  std::uint64_t wide = 0;  // loads of which two need more than the MSHR entries

  void take(std::uint64_t lines_of_one, int mshr_entries) {
    ++loads;
    lines += lines_of_one;
    wide += 2 * lines_of_one > static_cast<std::uint64_t>(mshr_entries);
  }
  void add(const LoadWidths& other) {
    loads += other.loads;
    lines += other.lines;
    wide += other.wide;
  }
};

// One SM with its cache.
struct SmResult : golden::L1dFigures {
  std::uint64_t instructions = 0;   // memory instructions of the warps; 0 for a request list
  LoadWidths widths;                // untimed, of traces
  golden::Sm::Cycles cycles;        // timed
  golden::CycleCauses causes;       // in a system
  LoadsByDegree loads_by_degree{};  // timed
  golden::PortLatency latency;      // timed, of SMs
  golden::Timeline timeline;

  // From the cache, when the run is over.
  template <class Cache>
  void take(const Cache& cache) {
    collect(cache);
    timeline.finish(counters);
  }
  // All but the timeline and the histories, which have no sum.
  void add(const SmResult& other);
};

// What SM dueling came to: intervals, those at whose end the followers filter, and changes of their mind.
struct DuelResult {
  std::uint64_t intervals = 0, filtering = 0, switches = 0;
};

// Where cores and slices stand, in rows of `width` nodes; of none: nowhere.
struct NodeMap {
  int width = 0, height = 0;
  std::vector<int> cores = {}, slices = {};
};

// What is known of a topology beside its caches; `sms` has an entry for each of those.
struct TopologyResult {
  std::string kind;  // "clustered"
  int cores = 0, nodes = 0, slices = 0, clusters = 0;
  bool boost = false, caches_in_nodes = false;
  std::uint64_t instructions = 0;             // of all cores; 0 for a request list
  std::uint64_t missed = 0, foreign = 0;      // untimed: misses, and those whose line another cache holds
  std::vector<std::uint64_t> slice_requests;  // that went down to each slice
  golden::Sm::Cycles core_cycles;             // timed, of all cores
  golden::CycleCauses causes;                 // in a system, of all cores
  golden::TopologyFigures figures;
  NodeMap nodes_of;
};

// What a system does at most in a core cycle: warp instructions, and bytes between L1s and L2, and of DRAM.
struct Roofs {
  double instructions = 0, network_bytes = 0, dram_bytes = 0;
};

// What is known of a run in a system beside its caches.
struct SystemResult {
  std::string name;  // as the user named it
  std::string described;
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  golden::IssueCycles issue_cycles;  // of all schedulers of all SMs
  Roofs roofs;
  std::optional<golden::SystemMemoryFigures> memory;
};

struct RunResult {
  std::string configuration;  // as the user named it
  std::string preset, top;
  std::string trace;  // or the request list
  std::string scheduler;
  bool timed = false, from_list = false;
  int chunk_bytes = 0, mshr_entries = 0;
  std::vector<SmResult> sms;
  std::uint64_t cycles = 0;  // timed: until the last answer
  // Of several caches: valid lines / distinct valid lines - 1 (DC-L1 thesis, figure 5.20), mean over samples.
  std::optional<double> mean_replicas;
  DuelResult duel;
  std::optional<TopologyResult> topology;
  golden::Below below;                       // timed
  std::string memory;                        // of two nodes, as the user named it
  std::optional<golden::NodeFigures> nodes;  // and what it came to
  std::optional<SystemResult> system;

  // Its index follows the addresses; its warps are limited by what they issue.
  bool adaptive() const { return decided("adi_history"); }
  bool limited() const { return decided("limit_history"); }
  bool organised() const { return decided("organisation_history"); }
  // Of one SM all that there is; of a topology also what went past its caches.
  SmResult total() const;

 private:
  bool decided(std::string_view history) const {
    return std::ranges::any_of(sms[0].histories, [&](const auto& h) { return h.name == history; });
  }
};

// What several caches that may hold the same lines held at some moments of a run.
class ReplicaSamples {
 public:
  // Now; `caches` are pointers to them.
  template <class Caches>
  void take(const Caches& caches) {
    sum_ += golden::replicas(static_cast<int>(caches.size()), 1,
                             [&](int n) { return caches[static_cast<std::size_t>(n)]->resident_lines(); });
    ++samples_;
  }
  double mean() const { return samples_ ? sum_ / static_cast<double>(samples_) : 0; }

 private:
  double sum_ = 0;
  std::uint64_t samples_ = 0;
};

// Messages on the way to the next level (down) and back (up). A message is a header of 8 bytes, and the
// chunks of a store, atomic or store past the L1 on the way down, those of all others on the way up.
struct Traffic {
  static constexpr std::uint64_t header_bytes = 8;
  std::uint64_t packets_down = 0, bytes_down = 0, packets_up = 0, bytes_up = 0;
};
Traffic traffic(const SmResult& sm, int chunk_bytes);

struct Distribution {
  std::uint64_t min = 0, max = 0;
  double mean = 0, variation = 0;  // coefficient of variation: standard deviation / mean
};
Distribution distribution(const std::vector<std::uint64_t>& values);

// Shares of the loads: loads that send nothing down (hits and hits on a pending line), and the others.
double hit_rate(const golden::L1dCounters& counters);
double miss_rate(const golden::L1dCounters& counters);
double bypass_rate(const golden::L1dCounters& counters);
double partial_rate(const golden::L1dCounters& counters);  // of misses that found some chunk
std::uint64_t reservation_fails(const golden::L1dCounters& counters);
// Of a run in a system: that L1s and L2 exchange, and that DRAM moves, in a core cycle.
struct BytesPerCycle {
  double network = 0, dram = 0;
};
BytesPerCycle bytes_per_cycle(const RunResult& run);
// Untimed: misses whose line another cache holds / misses.
double replication_ratio(const TopologyResult& topology);

}  // namespace gen
