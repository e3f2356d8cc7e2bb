// Random legal parameters of an L1 data cache with decoupled sectored tags.
#pragma once
#include <algorithm>

#include "verif/parameters/golden_parameters.h"

namespace verif {

inline hw::L1dParams random_decoupled(Draw& draw) {
  hw::L1dParams p = random_l1d(draw);
  p.tags = hw::TagKind::decoupled;
  p.replacement = hw::Replacement::lru;
  p.store_scope = draw.percent(40) ? hw::StoreScope::mask : hw::StoreScope::line;
  p.decoupled.tags_per_way = draw.between(1, std::min(8, hw::most_decoupled_entries / p.ways));
  p.decoupled.victim = static_cast<hw::DecoupledVictim>(draw.below(2));
  return p;
}

// The same with the adaptive index, whose tags are whole block addresses.
inline hw::L1dParams random_adaptive_decoupled(Draw& draw) {
  return with_adaptive_index(random_decoupled(draw), draw, 256);
}

// The worked example: 2 sets of 2 ways of 2 tags each, conventional index. Lines A to E are at 000 to 400.
inline hw::L1dParams decoupled_example(hw::DecoupledVictim victim) {
  hw::L1dParams p{.capacity_bytes = 512, .ways = 2, .tags = hw::TagKind::decoupled};
  p.decoupled = {.tags_per_way = 2, .victim = victim};
  p.index.sets = 2;
  return p;
}

struct ExampleRequest {
  bool store = false;
  std::uint64_t address = 0;
  std::uint32_t mask = 0;
};

inline constexpr ExampleRequest decoupled_requests[] = {
    {false, 0x000, 0x3}, {false, 0x100, 0xc}, {false, 0x000, 0x3}, {false, 0x200, 0x1}, {false, 0x100, 0x8},
    {false, 0x300, 0x6}, {false, 0x200, 0x2}, {false, 0x300, 0x6}, {false, 0x400, 0xf}, {false, 0x100, 0x4},
    {false, 0x300, 0x2}, {true, 0x300, 0xf},  {false, 0x300, 0x4}, {false, 0x400, 0xf}, {false, 0x300, 0x4}};

// What the example comes to, a letter a request, and its counters.
struct ExampleOutcome {
  hw::DecoupledVictim victim;
  const char* results;
  std::uint64_t requests_down, chunks_requested, evicted_lines, evicted_chunks;
};

inline constexpr ExampleOutcome decoupled_outcomes[] = {
    {hw::DecoupledVictim::way, "MMHMHMMPMMHsMPM", 11, 17, 5, 11},
    {hw::DecoupledVictim::tag, "MMHMHMMHMMHsMPM", 10, 16, 3, 9}};

}  // namespace verif
