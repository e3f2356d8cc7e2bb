// The untimed L1 data cache with split tags once more, as plainly as docs/contracts/l1d-split.md puts it: a
// set is a list of slots, and every rule a loop over them.
#pragma once
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "golden/cache/l1d_types.h"
#include "golden/index/run_time_index.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

class SplitReference {
 public:
  explicit SplitReference(const hw::L1dParams& params) : p(params), index(params.index) {
    sets.resize(static_cast<size_t>(hw::sets_of(p)));
    for (auto& set : sets)
      for (int g = 0; g < p.split.groups; ++g)
        for (int i = 0; i < hw::chunks_of_group(p); ++i) set.push_back({.group = g});
  }

  struct Slot {
    int group = 0, position = 0;
    bool valid = false, used = false;
    std::uint64_t high = 0, low = 0;  // tag: what the group shares, what is the chunk's own
  };

  golden::Result access(const golden::Request& request) {
    ++counters.accesses;
    std::set<int> asked;
    for (int c = 0; c < hw::chunks_of_line(p); ++c)
      if (request.mask >> c & 1) asked.insert(c);
    const std::uint64_t block = index.block_of(request.address);
    switch (request.kind) {
      case golden::RequestKind::load:
        return load(block, asked);
      case golden::RequestKind::store:
        ++counters.stores;
        invalidate(block, asked);
        return golden::Result::store;
      case golden::RequestKind::atomic:
        ++counters.atomics;
        invalidate(block, asked);
        return golden::Result::atomic;
      default:
        ++counters.non_l1;
        return golden::Result::non_l1;
    }
  }

  void flush() {
    ++counters.flushes;
    for (auto& set : sets)
      for (Slot& slot : set) slot.valid = false;
  }

  const hw::L1dParams p;
  golden::RunTimeIndex index;
  std::vector<std::vector<Slot>> sets;
  golden::L1dCounters counters;
  bool coarse = false;  // what sets that are no samplers do when dueling

 private:
  using Places = std::vector<Slot*>;

  std::uint64_t high(std::uint64_t block) const { return index.tag_of(block) >> p.split.private_tag_bits; }
  std::uint64_t low(std::uint64_t block) const {
    std::uint64_t mask = 1;
    for (int i = 0; i < p.split.private_tag_bits; ++i) mask *= 2;
    return index.tag_of(block) & (mask - 1);
  }
  bool holds(const Slot& slot, std::uint64_t block) const {
    return slot.valid && slot.high == high(block) && slot.low == low(block);
  }

  static bool contains(const hw::SetList& list, int automatic, int number) {
    if (list.count == 0) return automatic == number;
    return std::ranges::find(list, number) != list.end();
  }
  bool samples(const hw::SetList& list, int shift, int set) const {
    const int n = hw::sets_of(p);
    for (int q = 0; q < 4; ++q)
      if (contains(list, q * (n / 4) + (n > 16 ? q : 0) + shift, set)) return true;
    return false;
  }

  golden::Result load(std::uint64_t block, const std::set<int>& asked) {
    ++counters.loads;
    const int number = static_cast<int>(index.set_of(block));
    const bool dueling = p.mode.kind == hw::ModeKind::dueling;
    const bool samples_sets = dueling && !p.mode.follow;  // a cache that follows has no samplers
    const bool fine_sampler = samples_sets && samples(p.mode.fine_sets, 0, number);
    const bool coarse_sampler = samples_sets && samples(p.mode.coarse_sets, hw::sets_of(p) / 8, number);
    const bool whole =
        dueling ? coarse_sampler || (coarse && !fine_sampler) : p.mode.kind == hw::ModeKind::coarse;
    std::vector<Slot>& set = sets[static_cast<size_t>(number)];
    std::vector<int> missed;
    Places touched;
    for (int c = 0; c < hw::chunks_of_line(p); ++c) {
      if (!whole && !asked.contains(c)) continue;
      const auto found = std::ranges::find_if(
          set, [&](const Slot& slot) { return holds(slot, block) && slot.position == c; });
      if (found == set.end())
        missed.push_back(c);
      else
        touched.push_back(&*found);
    }
    const bool partial = !touched.empty();
    if (!missed.empty()) {
      const Places places = choose(set, block, touched, missed.size());
      for (size_t i = 0; i < missed.size(); ++i) {
        *places[i] = {.group = places[i]->group,
                      .position = missed[i],
                      .valid = true,
                      .used = places[i]->used,
                      .high = high(block),
                      .low = low(block)};
        touched.push_back(places[i]);
      }
    }
    for (Slot* slot : touched) slot->used = true;
    if (std::ranges::all_of(set, &Slot::used))
      for (Slot& slot : set) slot.used = false;
    if (fine_sampler || coarse_sampler) duel(coarse_sampler, missed.size());
    if (missed.empty()) {
      ++counters.hits;
      return golden::Result::hit;
    }
    ++counters.requests_down;
    ++counters.fills;
    counters.chunks_requested += missed.size();
    ++(partial ? counters.partial_misses : counters.misses);
    return partial ? golden::Result::partial_miss : golden::Result::miss;
  }

  // Each slot that is lost counts once, when it loses its chunk.
  void lose(Slot& slot) {
    if (slot.valid) ++counters.evicted_chunks;
    slot.valid = false;
  }

  Places choose(std::vector<Slot>& set, std::uint64_t block, const Places& used, size_t wanted) {
    const std::vector<Slot> before = set;
    const auto was_valid = [&](const Slot& slot) {
      return before[static_cast<size_t>(&slot - set.data())].valid;
    };
    std::map<int, Places> groups;
    for (Slot& slot : set) groups[slot.group].push_back(&slot);
    const auto empty = [&](int g) {
      return std::ranges::none_of(groups[g], [&](Slot* s) { return was_valid(*s); });
    };
    // Invalid slots keep the tag that their group has.
    const auto alike = [&](int g) {
      return std::ranges::any_of(groups[g], [&](Slot* s) { return was_valid(*s) && s->high == high(block); });
    };
    Places places;
    const auto take = [&](Slot* slot) {
      if (places.size() == wanted || std::ranges::count(places, slot)) return;
      lose(*slot);
      places.push_back(slot);
    };
    std::set<int> matching;
    for (const auto& [g, slots] : groups)
      if (alike(g)) matching.insert(g);
    for (const auto& [g, slots] : groups)
      for (Slot* slot : slots)
        if (matching.contains(g) && !was_valid(*slot)) take(slot);
    for (const auto& [g, slots] : groups)
      for (Slot* slot : slots)
        if (empty(g)) take(slot);
    if (places.size() == wanted) return places;
    if (p.split.victim == hw::SplitVictim::chunk) {
      const size_t start = lfsr % set.size();
      for (const bool pass : {false, true})
        for (size_t i = 0; i < set.size(); ++i) {
          Slot& slot = set[(start + i) % set.size()];
          if (places.size() == wanted || !was_valid(slot) || before[(start + i) % set.size()].used != pass)
            continue;
          if (std::ranges::count(used, &slot)) continue;
          take(&slot);
          if (matching.contains(slot.group)) continue;
          for (Slot* other : groups[slot.group]) {
            take(other);
            lose(*other);
          }
        }
      const int in = (lfsr ^ lfsr >> 2 ^ lfsr >> 3 ^ lfsr >> 5) & 1;
      lfsr = lfsr / 2 + 32768 * in;
      return places;
    }
    while (places.size() < wanted) {
      // Of the groups: what each can give.
      int best = -1;
      std::map<int, Places> offers;
      std::map<int, size_t> cheap;
      for (const auto& [g, slots] : groups)
        for (Slot* slot : slots) {
          if (empty(g) || std::ranges::count(places, slot)) continue;
          if (matching.contains(g) && (!was_valid(*slot) || std::ranges::count(used, slot))) continue;
          if (retagged.contains(g)) continue;
          offers[g].push_back(slot);
          if (!was_valid(*slot) || !slot->used) ++cheap[g];
        }
      const size_t left = wanted - places.size();
      size_t most = 0;
      for (const auto& [g, offered] : offers) most = std::max(most, offered.size());
      for (const auto& [g, offered] : offers) {
        if (offered.size() < std::min(left, most)) continue;
        const auto better = [&](int a, int b) {
          if (matching.contains(a) != matching.contains(b)) return matching.contains(a);
          return cheap[a] > cheap[b];
        };
        if (best < 0 || better(g, best)) best = g;
      }
      Places& offered = offers[best];
      for (int rank = 0; rank < 3; ++rank)
        for (Slot* slot : offered)
          if ((!was_valid(*slot) ? 0 : slot->used ? 2 : 1) == rank) take(slot);
      if (!matching.contains(best)) {
        for (Slot* slot : groups[best]) lose(*slot);
        retagged.insert(best);
      }
    }
    retagged.clear();
    return places;
  }

  void invalidate(std::uint64_t block, const std::set<int>& asked) {
    bool any = false;
    for (Slot& slot : sets[index.set_of(block)]) {
      if (!holds(slot, block)) continue;
      if (p.store_scope == hw::StoreScope::mask && !asked.contains(slot.position)) continue;
      slot.valid = false;
      any = true;
    }
    counters.store_invalidations += any;
  }

  void duel(bool coarse_set, size_t missed) {
    Mode& mode = modes[coarse_set];
    mode.seen = true;
    if (missed == 0) return;
    mode.misses += 1;
    mode.traffic += 1 + static_cast<std::int64_t>(missed);
    if (mode.misses <= p.mode.threshold) return;
    std::int64_t product[2];
    for (int m : {0, 1}) product[m] = (modes[m].misses /= 2) * (modes[m].traffic /= 2);
    if (product[0] < product[1] && modes[0].seen) coarse = false;
    if (product[1] < product[0] && modes[1].seen) coarse = true;
    for (Mode& m : modes) m.seen = false;
  }

  struct Mode {
    std::int64_t misses = 0, traffic = 0;
    bool seen = false;
  };
  Mode modes[2];
  std::set<int> retagged;  // during a choice by groups
  int lfsr = 0xACE1;
};

}  // namespace verif
