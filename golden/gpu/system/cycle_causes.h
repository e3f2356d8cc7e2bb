// Where the cycles of an SM went: one cause each, so that they add up to its cycles.
#pragma once
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>

#include "golden/cache/decision.h"
#include "golden/gpu/system/system_sm.h"
#include "golden/gpu/system/whereabouts.h"

namespace golden {

enum class CycleCause : std::uint8_t {
  issued,   // some scheduler issued
  result,   // a warp waits for a result, or for its unit
  barrier,  // the warps wait at a barrier
  limited,  // a limit holds the warps
  empty,    // no CTA on the SM
  lsu,      // a memory instruction waits for the load-store unit
  l1,       // the warps wait for loads without a request below the L1
  fail_line,
  fail_mshr,
  fail_merge,
  fail_queue,  // they wait for loads, and the L1's lookup stage for what the name says
  network,
  l2,
  dram,   // they wait for loads, and the oldest read below the L1 is there
  below,  // the same, of a memory that does not say where it is
};
inline constexpr std::array<std::string_view, 15> cycle_cause_names{
    "issued",    "result",     "barrier",    "limited", "empty", "lsu",  "l1",   "fail_line",
    "fail_mshr", "fail_merge", "fail_queue", "network", "l2",    "dram", "below"};

struct CycleCauses {
  std::array<std::uint64_t, cycle_cause_names.size()> cycles{};

  std::uint64_t& operator[](CycleCause cause) { return cycles[static_cast<std::size_t>(cause)]; }
  std::uint64_t operator[](CycleCause cause) const { return cycles[static_cast<std::size_t>(cause)]; }
  void add(const CycleCauses& other) {
    for (std::size_t i = 0; i < cycles.size(); ++i) cycles[i] += other.cycles[i];
  }
  std::uint64_t all() const { return std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0}); }
};

constexpr CycleCause cause_at(Whereabouts::Place place) {
  switch (place) {
    case Whereabouts::Place::l2_input:
    case Whereabouts::Place::l2_output:
      return CycleCause::l2;
    case Whereabouts::Place::dram:
      return CycleCause::dram;
    default:
      return CycleCause::network;
  }
}

// Of a cycle: what the SM's schedulers did or waited for, what held the L1's lookup stage, and what an SM
// waits for that waits for loads. The first that holds, from the warps down, is the cause.
constexpr CycleCause cycle_cause(IssueCause issue, Stall lookup, CycleCause loads) {
  switch (issue) {
    case IssueCause::issued:
      return CycleCause::issued;
    case IssueCause::scoreboard:
      return CycleCause::result;
    case IssueCause::barrier:
      return CycleCause::barrier;
    case IssueCause::no_warp:
      return CycleCause::limited;
    case IssueCause::empty:
      return CycleCause::empty;
    default:
      break;
  }
  switch (lookup) {
    case Stall::line:
      return CycleCause::fail_line;
    case Stall::mshr:
      return CycleCause::fail_mshr;
    case Stall::merge:
      return CycleCause::fail_merge;
    case Stall::queue:
      return CycleCause::fail_queue;
    default:
      return issue == IssueCause::lsu_full ? CycleCause::lsu : loads;
  }
}

}  // namespace golden
