// The untimed L1 data cache with decoupled sectored tags once more, as plainly as its spec puts it: tags with
// ranks, positions with selectors, and every rule a loop over them.
#pragma once
#include <algorithm>
#include <set>
#include <vector>

#include "golden/cache/l1d_types.h"
#include "golden/index/run_time_index.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

class DecoupledReference {
 public:
  explicit DecoupledReference(const hw::L1dParams& params)
      : p(params), index(params.index), k(p.decoupled.tags_per_way), w(p.ways), c(hw::chunks_of_line(p)) {
    sets.resize(static_cast<std::size_t>(hw::sets_of(p)));
    for (Set& set : sets) {
      set.tags.resize(static_cast<std::size_t>(k * w));
      for (std::size_t e = 0; e < set.tags.size(); ++e) set.tags[e].rank = static_cast<int>(e);
      set.ways.assign(static_cast<std::size_t>(w), std::vector<Place>(static_cast<std::size_t>(c)));
    }
  }

  struct Tag {
    std::uint64_t block = 0;
    bool valid = false;
    int rank = 0;  // 0: used last
  };
  struct Place {
    bool valid = false;
    int selector = 0;
  };
  struct Set {
    std::vector<Tag> tags;  // number j * ways + way
    std::vector<std::vector<Place>> ways;
  };

  golden::Result access(const golden::Request& request) {
    ++counters.accesses;
    const std::uint64_t block = index.block_of(request.address);
    Set& set = sets[index.set_of(block)];
    switch (request.kind) {
      case golden::RequestKind::load:
        return load(set, block, chunks(request.mask));
      case golden::RequestKind::store:
        ++counters.stores;
        invalidate(set, block, chunks(request.mask));
        return golden::Result::store;
      case golden::RequestKind::atomic:
        ++counters.atomics;
        invalidate(set, block, chunks(request.mask));
        return golden::Result::atomic;
      default:
        ++counters.non_l1;
        return golden::Result::non_l1;
    }
  }

  void flush() {
    ++counters.flushes;
    for (Set& set : sets) {
      for (Tag& tag : set.tags) tag.valid = false;
      for (auto& way : set.ways)
        for (Place& place : way) place.valid = false;
    }
  }

  // A tag is valid exactly while it has a position, each valid position has one valid owner, and no line
  // has two tags.
  bool is_sound() const {
    for (const Set& set : sets) {
      std::set<std::uint64_t> lines;
      for (int e = 0; e < k * w; ++e) {
        if (set.tags[e].valid != !places_of(set, e).empty()) return false;
        if (set.tags[e].valid && !lines.insert(set.tags[e].block).second) return false;
      }
    }
    return true;
  }

  const hw::L1dParams p;
  const golden::RunTimeIndex index;
  const int k, w, c;
  std::vector<Set> sets;
  golden::L1dCounters counters;

 private:
  std::set<int> chunks(std::uint32_t mask) const {
    std::set<int> list;
    for (int i = 0; i < c; ++i)
      if (mask >> i & 1) list.insert(i);
    return list;
  }

  std::set<int> places_of(const Set& set, int e) const {
    std::set<int> list;
    for (int i = 0; i < c; ++i)
      if (set.ways[e % w][i].valid && set.ways[e % w][i].selector == e / w) list.insert(i);
    return list;
  }

  int find(const Set& set, std::uint64_t block) const {
    for (int e = 0; e < k * w; ++e)
      if (set.tags[e].valid && set.tags[e].block == block) return e;
    return -1;
  }

  void touch(Set& set, int e) const {
    for (Tag& tag : set.tags) tag.rank += tag.rank < set.tags[e].rank;
    set.tags[e].rank = 0;
  }

  // The lowest invalid, else the least recently used of these.
  static int first_to_go(const Set& set, const std::vector<int>& offered) {
    for (const int e : offered)
      if (!set.tags[e].valid) return e;
    return *std::ranges::max_element(offered, {}, [&](int e) { return set.tags[e].rank; });
  }

  // The rank of the loser used last, or one more than any rank.
  int cost(const Set& set, int e, const std::set<int>& missed) const {
    int least = k * w;
    if (set.tags[e].valid) least = set.tags[e].rank;
    for (const int i : missed)
      if (const Place& place = set.ways[e % w][i]; place.valid)
        least = std::min(least, set.tags[place.selector * w + e % w].rank);
    return least;
  }

  int choose(const Set& set, const std::set<int>& missed) const {
    std::vector<int> all;
    for (int e = 0; e < k * w; ++e) all.push_back(e);
    if (p.decoupled.victim == hw::DecoupledVictim::tag) return first_to_go(set, all);
    std::vector<int> offers;
    for (int way = 0; way < w; ++way) {
      std::vector<int> of_way;
      for (int j = 0; j < k; ++j) of_way.push_back(j * w + way);
      offers.push_back(first_to_go(set, of_way));
    }
    return *std::ranges::max_element(offers, {}, [&](int e) { return cost(set, e, missed); });
  }

  void lose(Set& set, int way, int i) {
    Place& place = set.ways[way][i];
    if (!place.valid) return;
    place.valid = false;
    ++counters.evicted_chunks;
    const int owner = place.selector * w + way;
    if (!places_of(set, owner).empty()) return;
    set.tags[owner].valid = false;
    ++counters.evicted_lines;
  }

  golden::Result load(Set& set, std::uint64_t block, const std::set<int>& wanted) {
    ++counters.loads;
    int e = find(set, block);
    std::set<int> missed = wanted;
    if (e >= 0)
      for (const int i : places_of(set, e)) missed.erase(i);
    if (missed.empty()) {
      touch(set, e);
      ++counters.hits;
      return golden::Result::hit;
    }
    if (e < 0) {
      e = choose(set, missed);
      for (const int i : places_of(set, e)) lose(set, e % w, i);
      set.tags[e] = {.block = block, .valid = true, .rank = set.tags[e].rank};
    }
    for (const int i : missed) lose(set, e % w, i);
    for (const int i : missed) set.ways[e % w][i] = {.valid = true, .selector = e / w};
    touch(set, e);
    ++counters.requests_down;
    ++counters.fills;
    counters.chunks_requested += missed.size();
    const bool partial = missed.size() < wanted.size();
    ++(partial ? counters.partial_misses : counters.misses);
    return partial ? golden::Result::partial_miss : golden::Result::miss;
  }

  void invalidate(Set& set, std::uint64_t block, const std::set<int>& written) {
    const int e = find(set, block);
    if (e < 0) return;
    bool any = false;
    for (const int i : places_of(set, e)) {
      if (p.store_scope == hw::StoreScope::mask && !written.contains(i)) continue;
      set.ways[e % w][i].valid = false;
      any = true;
    }
    counters.store_invalidations += any;
    set.tags[e].valid = !places_of(set, e).empty();
  }
};

}  // namespace verif
