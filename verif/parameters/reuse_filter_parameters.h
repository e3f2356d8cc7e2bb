// Random legal parameters of L1 data caches with the reuse-count filter, and addresses that compete for their
// tag entries.
#pragma once
#include <algorithm>

#include "verif/parameters/golden_parameters.h"

namespace verif {

inline hw::ReuseFilterParams random_reuse_filter(int data_ways, Draw& draw) {
  hw::ReuseFilterParams p;
  const int least = std::max(4, data_ways);
  p.ways = draw.percent(20)   ? least
           : draw.percent(60) ? draw.between(least, std::min(32, 2 * least + 1))
                              : draw.between(least, 32);
  p.rc_bits = draw.percent(50) ? draw.between(2, 3) : draw.between(2, 8);
  const int most = (1 << p.rc_bits) - 1;
  p.threshold = draw.percent(70) ? draw.between(0, std::min(4, most)) : draw.between(0, most);
  if (draw.percent(10)) p.threshold = most;
  p.tag_victim = draw.percent(50) ? hw::TagVictim::lfu : hw::TagVictim::dataless_lfu;
  p.follow = draw.percent(30);
  return p;
}

inline hw::L1dParams random_reuse_l1d(Draw& draw) {
  hw::L1dParams p = random_l1d(draw);
  p.tags = hw::TagKind::reuse_filter;
  p.replacement = hw::Replacement::lru;
  p.store_scope = hw::StoreScope::line;
  p.reuse = random_reuse_filter(p.ways, draw);
  return p;
}

// Line addresses that compete: twice the tag entries of two sets, some of them often, and some anywhere.
inline std::uint64_t random_reuse_address(const hw::L1dParams& p, Draw& draw) {
  const auto line = static_cast<std::uint64_t>(p.line_bytes),
             sets = static_cast<std::uint64_t>(hw::sets_of(p));
  const auto lines = 2 * static_cast<std::uint64_t>(p.reuse.ways);
  std::uint64_t block = draw.bits();
  if (draw.percent(95)) block = draw.below(2) + sets * draw.below(draw.percent(50) ? lines : lines / 4);
  return block * line & ~std::uint64_t{0} >> (64 - p.address_bits);
}

}  // namespace verif
