#include "golden/tags/reuse_filter_functional.h"

#include <algorithm>

#include "golden/cache/chunk_count.h"
#include "golden/tags/replacement.h"

namespace golden {

FunctionalReuse::FunctionalReuse(const hw::L1dParams& p)
    : FunctionalL1d(p),
      entries_of_set_(static_cast<unsigned>(p.reuse.ways)),
      ways_(static_cast<unsigned>(p.ways)),
      chunks_(static_cast<unsigned>(hw::chunks_of_line(p))),
      threshold_(static_cast<unsigned>(p.reuse.threshold)),
      most_((1u << p.reuse.rc_bits) - 1),
      dataless_first_(p.reuse.tag_victim == hw::TagVictim::dataless_lfu),
      follows_(p.reuse.follow),
      entries_(set_loads_.size() * entries_of_set_, Entry{no_block}),
      lines_(set_loads_.size() * ways_) {}

void FunctionalReuse::serve(std::span<const Request> requests, Result* results) {
  index_.with_function([&](auto set_of) {
    for (const Request& request : requests) {
      const std::uint64_t block = index_.block_of(request.address);
      const unsigned set = set_of(block);
      *results++ = by_kind(
          request, [&] { return load(set, block, request.mask); },
          [&] { change(request.kind, set, block, request.mask); });
    }
  });
  counters_.accesses += requests.size();
}

Result FunctionalReuse::load(unsigned set, std::uint64_t block, std::uint32_t mask) {
  ++counters_.loads;
  ++set_loads_[set];
  ++now_;
  Entry* const entries = &entries_[set * entries_of_set_];
  unsigned at = find(set, block);
  if (at == entries_of_set_) {
    at = entry_to_take(set);
    if (entries[at].way != none) {
      ++counters_.evicted_lines;
      counters_.evicted_chunks += chunks_;
      lose_line(set, entries[at]);
    }
    entries[at] = {block, 1, none};
    return filters() ? bypass(mask) : allocate(set, at, mask);
  }
  Entry& entry = entries[at];
  if (entry.rc < most_) ++entry.rc;
  if (entry.way != none) {
    Way& way = lines_[set * ways_ + entry.way];
    way.touched = now_;
    way.used |= mask;
    ++counters_.hits;
    return Result::hit;
  }
  return filters() && entry.rc < threshold_ ? bypass(mask) : allocate(set, at, mask);
}

Result FunctionalReuse::bypass(std::uint32_t mask) {
  ++counters_.bypasses;
  ++counters_.requests_down;
  counters_.chunks_requested += chunk_count(mask);
  return Result::bypass;
}

// A line for the entry; all others of the set age, the one that loses its line to 0.
Result FunctionalReuse::allocate(unsigned set, unsigned entry, std::uint32_t mask) {
  Entry* const entries = &entries_[set * entries_of_set_];
  Way* const ways = &lines_[set * ways_];
  unsigned w = 0;
  while (w < ways_ && ways[w].entry != none) ++w;
  if (w == ways_) {
    w = oldest_way(set);
    ++counters_.evicted_lines;
    counters_.evicted_chunks += chunks_;
    Entry& loser = entries[ways[w].entry];
    lose_line(set, loser);
    loser.rc = 0;
  }
  for (unsigned e = 0; e < entries_of_set_; ++e)
    if (e != entry && entries[e].rc > 0) --entries[e].rc;
  entries[entry].way = static_cast<std::uint8_t>(w);
  ways[w] = {now_, mask, static_cast<std::uint8_t>(entry)};
  ++counters_.misses;
  ++counters_.requests_down;
  ++counters_.fills;
  counters_.chunks_requested += chunks_;
  return Result::miss;
}

void FunctionalReuse::change(RequestKind kind, unsigned set, std::uint64_t block, std::uint32_t mask) {
  const unsigned at = find(set, block);
  if (at == entries_of_set_) return;
  Entry& entry = entries_[set * entries_of_set_ + at];
  if (entry.way == none || only_writes(kind, ~0u, mask)) return;
  ++counters_.store_invalidations;
  lose_line(set, entry);
}

void FunctionalReuse::lose_line(unsigned set, Entry& entry) {
  Way& way = lines_[set * ways_ + entry.way];
  count_use(way);
  way.entry = none;
  entry.way = none;
}

void FunctionalReuse::count_use(const Way& way) { ++chunk_use_[chunk_count(way.used)]; }

unsigned FunctionalReuse::find(unsigned set, std::uint64_t block) const {
  const Entry* const entries = &entries_[set * entries_of_set_];
  unsigned at = 0;
  while (at < entries_of_set_ && entries[at].block != block) ++at;
  return at;
}

unsigned FunctionalReuse::entry_to_take(unsigned set) const {
  if (const unsigned at = find(set, no_block); at != entries_of_set_) return at;
  if (!dataless_first_) return least_counted(set, false);
  const unsigned at = least_counted(set, true);
  return at != entries_of_set_ ? at : lines_[set * ways_ + oldest_way(set)].entry;
}

unsigned FunctionalReuse::least_counted(unsigned set, bool without_line) const {
  const Entry* const entries = &entries_[set * entries_of_set_];
  unsigned least = entries_of_set_, count = most_ + 1;
  for (unsigned e = 0; e < entries_of_set_; ++e) {
    if ((without_line && entries[e].way != none) || entries[e].rc >= count) continue;
    least = e;
    count = entries[e].rc;
  }
  return least;
}

unsigned FunctionalReuse::oldest_way(unsigned set) const {
  const Way* const ways = &lines_[set * ways_];
  return static_cast<unsigned>(
      std::min_element(ways, ways + ways_, [](const Way& a, const Way& b) { return a.touched < b.touched; }) -
      ways);
}

void FunctionalReuse::flush() {
  ++counters_.flushes;
  for (const Way& way : lines_)
    if (way.entry != none) count_use(way);
  std::ranges::fill(lines_, Way{});
  std::ranges::fill(entries_, Entry{no_block});
}

std::vector<std::uint64_t> FunctionalReuse::resident_lines() const {
  std::vector<std::uint64_t> lines;
  for (const Entry& entry : entries_)
    if (entry.way != none) lines.push_back(index_.address_of(entry.block));
  return lines;
}

bool FunctionalReuse::holds(std::uint64_t address) const {
  const std::uint64_t block = index_.block_of(address);
  const unsigned set = index_.set_of(block), at = find(set, block);
  return at != entries_of_set_ && entries_[set * entries_of_set_ + at].way != none;
}

}  // namespace golden
