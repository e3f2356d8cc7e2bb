#include "golden/tags/decoupled_set.h"

#include <algorithm>

#include "golden/cache/chunk_count.h"

namespace golden {

std::uint32_t DecoupledRules::busy(ConstSet set, unsigned way) const {
  std::uint32_t chunks = 0;
  for (unsigned e = way; e < entries; e += ways) chunks |= set[e].busy;
  return chunks;
}

std::optional<unsigned> DecoupledRules::offer(ConstSet set, std::uint32_t missed, unsigned from,
                                              unsigned step) const {
  std::optional<unsigned> oldest;
  for (unsigned e = from; e < entries; e += step) {
    if (set[e].busy || (missed & busy(set, way_of(e)))) continue;
    if (!set[e].chunks()) return e;
    if (!oldest || set[e].touched < set[*oldest].touched) oldest = e;
  }
  return oldest;
}

std::uint64_t DecoupledRules::youngest_loser(ConstSet set, unsigned e, std::uint32_t missed) const {
  std::uint64_t youngest = set[e].chunks() ? set[e].touched : 0;
  for (unsigned other = way_of(e); other < entries; other += ways)
    if (set[other].valid & missed) youngest = std::max(youngest, set[other].touched);
  return youngest;
}

std::optional<unsigned> DecoupledRules::choose(ConstSet set, std::uint32_t missed) const {
  if (victim_ == hw::DecoupledVictim::tag) return offer(set, missed, 0, 1);
  std::optional<unsigned> best;
  std::uint64_t least = 0;
  for (unsigned way = 0; way < ways; ++way) {
    const std::optional<unsigned> e = offer(set, missed, way, ways);
    if (!e) continue;
    const std::uint64_t cost = youngest_loser(set, *e, missed);
    if (best && cost >= least) continue;
    best = e;
    least = cost;
  }
  return best;
}

DecoupledCost DecoupledRules::overwrite(Set set, unsigned e, std::uint32_t missed) const {
  DecoupledCost cost;
  for (unsigned other = way_of(e); other < entries; other += ways) {
    const std::uint32_t gone = set[other].valid & missed;
    if (other == e || !gone) continue;
    cost.overwrites = true;
    cost.from_waiting |= set[other].waits_in != no_entry;
    cost.lost.chunks += chunk_count(gone);
    set[other].valid &= ~gone;
    if (set[other].chunks()) continue;
    cost.takes_last = true;
    ++cost.lost.lines;
  }
  return cost;
}

}  // namespace golden
