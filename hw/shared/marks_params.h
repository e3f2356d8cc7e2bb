// What travels with the ids of requests and replies where a controller of shared L1s counts them, shared by
// the hardware and its reference model. What each bit says: docs/contracts/shared-l1.md.
#pragma once
#include "hw/shared/shared_params.h"

namespace hw {

constexpr bool has_controllers(const SharedParams& p) { return p.organisation == Organisation::dyneb; }

// Above a core's id, of requests to homes and their replies: {a load, of an odd set}.
constexpr int mark_bits(const SharedParams& p) { return has_controllers(p) ? 2 : 0; }
// Above the marks, of replies of homes: {a hit}.
constexpr int hit_bits(const SharedParams& p) { return has_controllers(p) ? 1 : 0; }
// Above the id of a core's memory side: {not of L1s, for another core, of an odd set}.
constexpr int tally_bits(const SharedParams& p) { return has_controllers(p) ? 3 : 0; }

// The L1 invalidates lines that its core stores to past it.
constexpr bool has_drops(const SharedParams& p) { return has_controllers(p) && p.own_store_guard; }

// The L1 knows which lines have another home, and of which sets these are shared.
constexpr bool has_stale_lines(const SharedParams& p) {
  return has_controllers(p) && p.prefer_leftover_victims;
}

}  // namespace hw
