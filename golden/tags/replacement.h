// The sets of the untimed L1 data cache and what each policy does with their ways.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "golden/cache/lfsr.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

inline constexpr std::uint64_t no_block = ~std::uint64_t{0};

// A line is known by its block address, which set and tag stand for.
struct Line {
  std::uint64_t block = no_block;  // no_block: the way is invalid
  std::uint32_t valid = 0;         // chunks present; not looked at with conventional tags
  std::uint32_t used = 0;          // chunks that loads requested since the allocation
};

// `Ways` 0: as many as the parameters say.
template <int Ways>
class Lines {
 public:
  explicit Lines(const hw::L1dParams& p)
      : ways_(static_cast<unsigned>(p.ways)), lines_(static_cast<size_t>(hw::sets_of(p) * p.ways)) {}

  unsigned ways() const { return Ways ? Ways : ways_; }
  const Line& at(unsigned set, unsigned way) const { return lines_[set * ways() + way]; }
  Line& at(unsigned set, unsigned way) { return lines_[set * ways() + way]; }

  // The way that holds the block, else ways().
  unsigned find(unsigned set, std::uint64_t block) const {
    const Line* lines = &lines_[set * ways()];
    unsigned way = 0;
    while (way < ways() && lines[way].block != block) ++way;
    return way;
  }

  void invalidate_all() { std::ranges::fill(lines_, Line{}); }

 private:
  const unsigned ways_;
  std::vector<Line> lines_;
};

template <int Ways, hw::Replacement Policy>
class Sets;

// LRU: a set lists its lines from the youngest to the oldest, the invalid ones last. Which way a line lies in
// cannot be seen from outside: an invalid way is taken before any valid one, and of these the oldest.
template <int Ways>
class Sets<Ways, hw::Replacement::lru> : public Lines<Ways> {
 public:
  using Lines<Ways>::Lines, Lines<Ways>::at, Lines<Ways>::ways;

  Line& touch(unsigned set, unsigned place) {
    Line* lines = &at(set, 0);
    const Line touched = lines[place];
    for (; place > 0; --place) lines[place] = lines[place - 1];
    return lines[0] = touched;
  }
  // The line to overwrite, as it was, already touched.
  Line& replace(unsigned set) { return touch(set, ways() - 1); }
  void invalidate(unsigned set, unsigned place) {
    Line* lines = &at(set, 0);
    for (; place + 1 < ways(); ++place) lines[place] = lines[place + 1];
    lines[place] = {};
  }
};

// NRU: each way is used or not. An access sets it; when all are set, all are cleared. Invalidation leaves
// them.
template <int Ways>
class Sets<Ways, hw::Replacement::nru> : public Lines<Ways> {
 public:
  using Lines<Ways>::at, Lines<Ways>::ways;
  explicit Sets(const hw::L1dParams& p)
      : Lines<Ways>(p),
        used_(static_cast<size_t>(hw::sets_of(p) * p.ways)),
        number_(static_cast<size_t>(hw::sets_of(p))) {}

  Line& touch(unsigned set, unsigned way) {
    std::uint8_t* used = &used_[set * ways()];
    number_[set] += !used[way];
    used[way] = 1;
    if (number_[set] == ways()) {
      std::fill_n(used, ways(), 0);
      number_[set] = 0;
    }
    return at(set, way);
  }
  Line& replace(unsigned set) {
    unsigned way = this->find(set, no_block);
    if (way == ways())  // not all are ever used
      for (way = 0; used_[set * ways() + way];) ++way;
    return touch(set, way);
  }
  void invalidate(unsigned set, unsigned way) { at(set, way) = {}; }

 private:
  std::vector<std::uint8_t> used_;     // by set and way
  std::vector<std::uint32_t> number_;  // of used ways, by set
};

// SRRIP: a line has a re-reference prediction value, 3 the most distant. A hit sets it to 0, a miss to 2; the
// first line with 3 goes, and as long as there is none all values rise.
template <int Ways>
class Sets<Ways, hw::Replacement::srrip> : public Lines<Ways> {
 public:
  using Lines<Ways>::at, Lines<Ways>::ways;
  explicit Sets(const hw::L1dParams& p)
      : Lines<Ways>(p), value_(static_cast<size_t>(hw::sets_of(p) * p.ways), 3) {}

  Line& touch(unsigned set, unsigned way) {
    value_[set * ways() + way] = 0;
    return at(set, way);
  }
  Line& replace(unsigned set) {
    const auto values = value_.begin() + set * ways(), end = values + ways();
    unsigned way = this->find(set, no_block);
    if (way == ways()) {
      auto victim = std::find(values, end, 3);
      for (; victim == end; victim = std::find(values, end, 3))
        std::for_each(values, end, [](std::uint8_t& value) { ++value; });
      way = static_cast<unsigned>(victim - values);
    }
    values[way] = 2;
    return at(set, way);
  }
  void invalidate(unsigned set, unsigned way) { at(set, way) = {}; }

 private:
  std::vector<std::uint8_t> value_;  // by set and way
};

// Random: one LFSR for the cache, which steps with every victim.
template <int Ways>
class Sets<Ways, hw::Replacement::random> : public Lines<Ways> {
 public:
  using Lines<Ways>::Lines, Lines<Ways>::at, Lines<Ways>::ways;

  Line& touch(unsigned set, unsigned way) { return at(set, way); }
  Line& replace(unsigned set) {
    unsigned way = this->find(set, no_block);
    if (way == ways()) {
      way = lfsr_ % ways();
      lfsr_ = next_lfsr(lfsr_);
    }
    return at(set, way);
  }
  void invalidate(unsigned set, unsigned way) { at(set, way) = {}; }

 private:
  std::uint16_t lfsr_ = lfsr_seed;
};

}  // namespace golden
