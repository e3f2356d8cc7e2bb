// Ids of a cache's memory requests (docs/contracts/l1d.md, "Miss queue").
#pragma once
#include <algorithm>

#include "golden/bits.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

// Of a fetch: conventional tags name the way of the line, where it fits beside the entry in an id of the
// core.
constexpr int way_id_bits(const hw::L1dParams& p) {
  if (p.tags != hw::TagKind::conventional || p.snoops) return 0;
  const int way = bits_for(p.ways);
  return bits_for(p.mshr_entries) + way > p.core_id_bits ? 0 : way;
}

// Of an id, the part by which fetches differ: entry, and way or lowest chunk.
constexpr int fetch_id_bits(const hw::L1dParams& p) {
  const int chunk = hw::by_chunk(p.tags) ? bits_for(hw::chunks_of_line(p)) : 0;
  return bits_for(p.mshr_entries) + chunk + golden::way_id_bits(p);
}

// All of them; the top bit is 0 for a fetch.
constexpr int memory_id_bits(const hw::L1dParams& p) {
  return 1 + std::max(p.core_id_bits, golden::fetch_id_bits(p));
}

}  // namespace golden
