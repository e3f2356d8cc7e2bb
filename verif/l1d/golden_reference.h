// The untimed L1 data cache once more, as plainly as the conventions put it: physical ways, ages, loops.
#pragma once
#include <set>
#include <vector>

#include "golden/cache/l1d_types.h"
#include "golden/index/run_time_index.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

class ReferenceL1d {
 public:
  explicit ReferenceL1d(const hw::L1dParams& params)
      : p(params),
        index(params.index),
        sets(static_cast<size_t>(hw::sets_of(params)), std::vector<Way>(static_cast<size_t>(params.ways))),
        chunk_use(static_cast<size_t>(hw::chunks_of_line(params)) + 1),
        set_loads(sets.size()) {
    for (auto& set : sets)
      for (int w = 0; w < p.ways; ++w) set[w].age = w;
  }

  golden::Result access(const golden::Request& request) {
    ++counters.accesses;
    const std::uint64_t block = index.block_of(request.address);
    std::set<int> chunks;
    for (int c = 0; c < hw::chunks_of_line(p); ++c)
      if (request.mask >> c & 1) chunks.insert(c);
    switch (request.kind) {
      case golden::RequestKind::load:
        return load(index.set_of(block), block, chunks);
      case golden::RequestKind::store:
        ++counters.stores;
        invalidate(sets[index.set_of(block)], block, chunks);
        return golden::Result::store;
      case golden::RequestKind::atomic:
        ++counters.atomics;
        invalidate(sets[index.set_of(block)], block, chunks);
        return golden::Result::atomic;
      default:
        ++counters.non_l1;
        return golden::Result::non_l1;
    }
  }

  void flush() {
    ++counters.flushes;
    for (auto& set : sets)
      for (Way& way : set) lose(way);
  }

  struct Way {
    std::uint64_t block = 0;
    std::set<int> present, used;  // chunks
    int age = 0;
    bool nru = false;
    int rrpv = 3;
  };

  const hw::L1dParams p;
  golden::RunTimeIndex index;
  std::vector<std::vector<Way>> sets;
  std::vector<std::uint64_t> chunk_use, set_loads;
  golden::L1dCounters counters;

 private:
  static bool match(const Way& way, std::uint64_t block) {
    return !way.present.empty() && way.block == block;
  }

  golden::Result load(unsigned s, std::uint64_t block, const std::set<int>& chunks) {
    ++counters.loads;
    ++set_loads[s];
    std::vector<Way>& set = sets[s];
    std::set<int> line;
    for (int c = 0; c < hw::chunks_of_line(p); ++c) line.insert(c);
    int chosen = -1;
    for (int w = 0; w < p.ways; ++w)
      if (match(set[w], block)) chosen = w;
    const bool found = chosen >= 0;
    if (!found) {
      chosen = place(set);
      if (!set[chosen].present.empty()) {
        ++counters.evicted_lines;
        counters.evicted_chunks += set[chosen].present.size();
      }
      lose(set[chosen]);
      set[chosen].block = block;
    }
    touch(set, chosen, found);
    Way& way = set[chosen];
    way.used.insert(chunks.begin(), chunks.end());
    int had = 0, fetched = 0;
    for (const int c : p.tags == hw::TagKind::sectored ? chunks : line) {
      if (way.present.insert(c).second)
        ++fetched;
      else
        ++had;
    }
    if (fetched == 0) {
      ++counters.hits;
      return golden::Result::hit;
    }
    ++counters.requests_down;
    ++counters.fills;
    counters.chunks_requested += static_cast<unsigned>(fetched);
    ++(had ? counters.partial_misses : counters.misses);
    return had ? golden::Result::partial_miss : golden::Result::miss;
  }

  // The lowest invalid way, else a victim.
  int place(std::vector<Way>& set) {
    for (int w = 0; w < p.ways; ++w)
      if (set[w].present.empty()) return w;
    if (p.replacement == hw::Replacement::random) {
      const int chosen = lfsr % p.ways;
      const int in = (lfsr & 1) ^ (lfsr >> 2 & 1) ^ (lfsr >> 3 & 1) ^ (lfsr >> 5 & 1);
      lfsr = lfsr / 2 + 32768 * in;
      return chosen;
    }
    if (p.replacement == hw::Replacement::srrip) return most_distant(set);
    for (int w = 0; w < p.ways; ++w)
      if (p.replacement == hw::Replacement::lru ? set[w].age == p.ways - 1 : !set[w].nru) return w;
    return 0;
  }

  // All go as far as the first of the largest RRPV still has to.
  static int most_distant(std::vector<Way>& set) {
    int first = 0;
    for (int w = 1; w < static_cast<int>(set.size()); ++w)
      if (set[w].rrpv > set[first].rrpv) first = w;
    const int more = 3 - set[first].rrpv;
    for (Way& way : set) way.rrpv += more;
    return first;
  }

  void touch(std::vector<Way>& set, int touched, bool found) const {
    set[touched].rrpv = found ? 0 : 2;
    for (int w = 0; w < p.ways; ++w)
      if (set[w].age < set[touched].age) ++set[w].age;
    set[touched].age = 0;
    set[touched].nru = true;
    for (const Way& way : set)
      if (!way.nru) return;
    for (Way& way : set) way.nru = false;
  }

  void invalidate(std::vector<Way>& set, std::uint64_t block, const std::set<int>& chunks) {
    for (Way& way : set) {
      if (!match(way, block)) continue;
      const size_t before = way.present.size();
      std::set<int> left = way.present;
      if (p.store_scope == hw::StoreScope::mask)
        for (const int c : chunks) left.erase(c);
      else
        left.clear();
      if (left.size() == before) return;
      ++counters.store_invalidations;
      if (left.empty()) lose(way);
      way.present = left;
      return;
    }
  }

  void lose(Way& way) {
    if (!way.present.empty()) ++chunk_use[way.used.size()];
    way.present.clear();
    way.used.clear();
  }

  int lfsr = 0xACE1;
};

}  // namespace verif
