// What a run of a topology comes to beside the figures of its caches: traffic of links, what homes served,
// and how long messages were on their way (DC-L1 thesis, chapter 4; docs/explore.md).
#pragma once
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "golden/cache/l1d_types.h"
#include "golden/topology/remote_figures.h"

namespace golden {

// Flits that went from a node to its neighbour.
struct LinkFlits {
  int from = 0, to = 0;
  std::uint64_t flits = 0;
  bool operator==(const LinkFlits&) const = default;
};

// Flits that entered the crossbars of a network, all together.
struct CrossbarFlits {
  int crossbars = 0, inputs = 0, outputs = 0;
  std::uint64_t flits = 0;
  bool operator==(const CrossbarFlits&) const = default;
};

// Loads that a core's L1 served for other cores.
struct HomeLoads {
  std::uint64_t loads = 0, hits = 0;
  bool operator==(const HomeLoads&) const = default;
};

// How long messages were somewhere, all together: the times at which they left less those at which they came.
// It is a length when nothing is there.
struct Stay {
  std::int64_t cycles = 0;
  std::uint64_t messages = 0;

  void comes(std::int64_t now) { cycles -= now; }
  void leaves(std::int64_t now) { cycles += now, ++messages; }
  void add(const Stay& other) { cycles += other.cycles, messages += other.messages; }
  double mean() const { return messages ? static_cast<double>(cycles) / static_cast<double>(messages) : 0; }
  bool operator==(const Stay&) const = default;
};

// A request that goes past all L1s, as their counters would have it: a load of them is a bypass.
inline void count_direct(L1dCounters& counters, RequestKind kind, std::uint32_t mask) {
  const bool load = kind == RequestKind::load;
  ++counters.accesses;
  counters.loads += load;
  counters.bypasses += load;
  counters.requests_down += load;
  counters.chunks_requested += load ? static_cast<unsigned>(std::popcount(mask)) : 0;
  counters.stores += kind == RequestKind::store;
  counters.atomics += kind == RequestKind::atomic;
  counters.non_l1 += kind == RequestKind::non_l1;
}
inline void add_counters(L1dCounters& sum, const L1dCounters& more) {
  for (const auto& [name, counter] : counter_names) sum.*counter += more.*counter;
}

struct TopologyFigures {
  L1dCounters direct = {};                         // requests that went past all L1s
  std::vector<HomeLoads> homes = {};               // by core, where L1s are shared
  std::vector<std::vector<LinkFlits>> links = {};  // of meshes: requests, replies
  // Timed, of networks of crossbars: NoC#1 before NoC#2, in each the requests before the replies.
  std::vector<CrossbarFlits> networks = {};
  std::optional<RemoteFigures> remote = {};  // where cores search each other's L1s
  // Timed: loads from core to core; messages from a core to a home or slice and back, and the part of it that
  // they, and what they caused, were there.
  Stay loads = {}, home_trips = {}, at_homes = {}, slice_trips = {}, at_slices = {};
  bool operator==(const TopologyFigures&) const = default;
};

}  // namespace golden
