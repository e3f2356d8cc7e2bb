// What the parts of an L1 data cache exchange about the request in the tag-lookup stage.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "golden/cache/l1d_types.h"

namespace golden {

inline constexpr unsigned no_entry = ~0u;

// Where a line lies in its set; what the bits say only its tag store knows (a way, or slots).
using Place = std::uint64_t;
inline constexpr Place nowhere = ~Place{0};

// A request between acceptance and the memory side.
struct Held {
  bool valid = false;
  RequestKind kind = RequestKind::load;
  std::uint64_t id = 0;
  std::uint32_t mask = 0, set = 0, payload = 0;
  std::uint64_t block = 0;
  hw::Sideband sideband = {};
};

// What the tags and the MSHRs know of a line.
struct Lookup {
  bool found = false;         // some of it is there, or an entry waits for it
  unsigned entry = no_entry;  // that entry
  std::uint32_t valid = 0;    // validity bits that can be read
  Place place = nowhere;
};

// Why the request in the tag-lookup stage did not fire: a failed reservation, or a hit that got no response
// stage (full, its bank taken by a fill, or another's grant), slots that are still being chosen (split tags),
// the flush of an adaptive index, or a wrong tag of what an MSHR entry waits for.
enum class Stall : std::uint8_t {
  none,
  line,
  mshr,
  merge,
  queue,
  answer,
  bank,
  arbitration,
  plan,
  flush,
  tags
};
inline constexpr std::array<std::string_view, 11> stall_names{
    "none", "line", "mshr", "merge", "queue", "answer", "bank", "arbitration", "plan", "flush", "tags"};
// Those of traffic alone, `none` among them: wrong tags come of flipped bits.
inline constexpr std::size_t traffic_stalls = static_cast<std::size_t>(Stall::tags);

// No way or slot, no entry or no free MSHR target: a fail that a policy may turn into a bypass.
constexpr bool finds_nothing_to_reserve(Stall stall) {
  return stall == Stall::line || stall == Stall::mshr || stall == Stall::merge;
}

constexpr bool is_reservation_fail(Stall stall) {
  return finds_nothing_to_reserve(stall) || stall == Stall::queue;
}

// Who sent a load past the cache: the policy before the lookup, in the place of a reservation fail or of an
// allocation, or the filter that the tags are.
enum class Bypass : std::uint8_t { none, unseen, stalled, closed, filtered };

// What it counts in beside all bypasses; null for a filter's.
constexpr std::uint64_t L1dCounters::*counter_of(Bypass reason) {
  switch (reason) {
    case Bypass::unseen:
      return &L1dCounters::bypasses_load;
    case Bypass::stalled:
      return &L1dCounters::bypasses_stall;
    case Bypass::closed:
      return &L1dCounters::bypasses_protected;
    default:
      return nullptr;
  }
}

// What the request in the tag-lookup stage comes to.
struct Decision {
  Lookup line;
  std::uint32_t wanted = 0;   // validity bits that a load looks for
  std::uint32_t pending = 0;  // those on their way
  std::uint32_t missed = 0;   // those to fetch
  std::uint32_t written = 0;  // chunks of the line into which a store writes
  unsigned entry = no_entry;  // the line's, or the one that a miss takes
  Result result = Result::hit;
  Bypass bypass = Bypass::none;
  Stall stall = Stall::none;
  Stall bypass_wanted = Stall::none;  // what a load waits for no longer, since it bypasses
  bool fires = false;

  bool merges() const { return line.entry != no_entry; }
};

}  // namespace golden
