// The untimed L1 data cache with the reuse-count filter once more, as plainly as
// docs/contracts/l1d-reuse-filter.md puts it: entries with positions, lines with ages, loops.
#pragma once
#include <optional>
#include <set>
#include <vector>

#include "golden/cache/l1d_types.h"
#include "golden/index/run_time_index.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

class ReferenceReuse {
 public:
  struct Entry {
    std::optional<std::uint64_t> block;
    int rc = 0;
    std::optional<int> position;
  };
  struct Way {
    bool valid = false;
    std::set<int> used;  // chunks
    int age = 0;
  };
  struct Set {
    std::vector<Entry> entries;
    std::vector<Way> ways;
  };

  explicit ReferenceReuse(const hw::L1dParams& params)
      : p(params),
        index(params.index),
        sets(static_cast<std::size_t>(hw::sets_of(params))),
        chunk_use(static_cast<std::size_t>(hw::chunks_of_line(params)) + 1),
        set_loads(sets.size()) {
    for (Set& set : sets) {
      set.entries.resize(static_cast<std::size_t>(p.reuse.ways));
      set.ways.resize(static_cast<std::size_t>(p.ways));
      for (int w = 0; w < p.ways; ++w) set.ways[w].age = w;
    }
  }

  golden::Result access(const golden::Request& request) {
    ++counters.accesses;
    const std::uint64_t block = index.block_of(request.address);
    Set& set = sets[index.set_of(block)];
    if (request.kind == golden::RequestKind::load) {
      ++set_loads[index.set_of(block)];
      return load(set, block, request.mask);
    }
    if (request.kind == golden::RequestKind::non_l1) {
      ++counters.non_l1;
      return golden::Result::non_l1;
    }
    for (Entry& entry : set.entries)
      if (entry.block == block && entry.position) {
        ++counters.store_invalidations;
        drop(set, *entry.position);
        entry.position.reset();
      }
    const bool store = request.kind == golden::RequestKind::store;
    ++(store ? counters.stores : counters.atomics);
    return store ? golden::Result::store : golden::Result::atomic;
  }

  void flush() {
    ++counters.flushes;
    for (Set& set : sets) {
      for (int w = 0; w < p.ways; ++w)
        if (set.ways[w].valid) drop(set, w);
      for (Entry& entry : set.entries) entry = {};
    }
  }

  bool on() const { return p.reuse.threshold >= 2 && (!p.reuse.follow || filter_enable); }

  const hw::L1dParams p;
  const golden::RunTimeIndex index;
  std::vector<Set> sets;
  std::vector<std::uint64_t> chunk_use, set_loads;
  golden::L1dCounters counters;
  bool filter_enable = false;

 private:
  golden::Result load(Set& set, std::uint64_t block, std::uint32_t mask) {
    ++counters.loads;
    Entry* hit = nullptr;
    for (Entry& entry : set.entries)
      if (entry.block == block) hit = &entry;
    if (!hit) return tag_miss(set, block, mask);
    const int raised = std::min(hit->rc + 1, (1 << p.reuse.rc_bits) - 1);
    hit->rc = raised;
    if (hit->position) {
      ++counters.hits;
      use(set, *hit->position, mask);
      return golden::Result::hit;
    }
    if (on() && raised < p.reuse.threshold) return bypass(mask);
    return allocate(set, *hit, mask);
  }

  golden::Result tag_miss(Set& set, std::uint64_t block, std::uint32_t mask) {
    Entry& taken = to_take(set);
    if (taken.position) lose(set, taken);
    taken = {.block = block, .rc = 1, .position = {}};
    return on() ? bypass(mask) : allocate(set, taken, mask);
  }

  Entry& to_take(Set& set) {
    for (Entry& entry : set.entries)
      if (!entry.block) return entry;
    const bool all = p.reuse.tag_victim == hw::TagVictim::lfu;
    for (int rc = 0; rc < 1 << p.reuse.rc_bits; ++rc)
      for (Entry& entry : set.entries)
        if (entry.rc == rc && (all || !entry.position)) return entry;
    const int oldest = of_age(set, p.ways - 1);
    for (Entry& entry : set.entries)
      if (entry.position == oldest) return entry;
    std::abort();  // a way without an owner would have left an entry without a line
  }

  golden::Result allocate(Set& set, Entry& entry, std::uint32_t mask) {
    int way = -1;
    for (int w = p.ways - 1; w >= 0; --w)
      if (!set.ways[w].valid) way = w;
    Entry* evicted = nullptr;
    if (way < 0) {
      way = of_age(set, p.ways - 1);
      for (Entry& other : set.entries)
        if (other.position == way) evicted = &other;
      lose(set, *evicted);
      evicted->rc = 0;
    }
    for (Entry& other : set.entries)
      if (other.block && &other != &entry && &other != evicted && other.rc > 0) --other.rc;
    entry.position = way;
    set.ways[way].valid = true;
    use(set, way, mask);
    ++counters.misses;
    ++counters.requests_down;
    ++counters.fills;
    counters.chunks_requested += static_cast<unsigned>(hw::chunks_of_line(p));
    return golden::Result::miss;
  }

  golden::Result bypass(std::uint32_t mask) {
    ++counters.bypasses;
    ++counters.requests_down;
    for (; mask; mask &= mask - 1) ++counters.chunks_requested;
    return golden::Result::bypass;
  }

  // The youngest becomes `way`.
  void use(Set& set, int way, std::uint32_t mask) {
    for (int c = 0; c < hw::chunks_of_line(p); ++c)
      if (mask >> c & 1) set.ways[way].used.insert(c);
    for (Way& other : set.ways)
      if (other.age < set.ways[way].age) ++other.age;
    set.ways[way].age = 0;
  }
  int of_age(const Set& set, int age) const {
    for (int w = 0; w < p.ways; ++w)
      if (set.ways[w].age == age) return w;
    return -1;
  }

  void lose(Set& set, Entry& entry) {
    ++counters.evicted_lines;
    counters.evicted_chunks += static_cast<unsigned>(hw::chunks_of_line(p));
    drop(set, *entry.position);
    entry.position.reset();
  }
  void drop(Set& set, int way) {
    ++chunk_use[set.ways[way].used.size()];
    set.ways[way].valid = false;
    set.ways[way].used.clear();
  }
};

}  // namespace verif
