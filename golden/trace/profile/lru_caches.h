// Small caches that a profile looks through: one that is fully associative and knows what of its lines was
// used, and one of several ways by an index function. Both replace the line touched longest ago.
#pragma once
#include <cstdint>
#include <list>
#include <unordered_map>
#include <vector>

#include "golden/index/run_time_index.h"

namespace golden {

class FullyAssociative {
 public:
  struct Line {
    std::uint64_t address;
    std::uint32_t used = 0;    // its words that loads have touched since it came
    std::uint32_t reused = 0;  // lines that more than one load has touched
  };

  explicit FullyAssociative(std::size_t lines) : capacity_(lines) {}

  // Was it there? Otherwise it comes, and `evicted(Line)` is called for the one that goes.
  template <class Evicted>
  bool access(std::uint64_t address, std::uint32_t words, Evicted evicted) {
    const auto found = by_address_.find(address);
    const bool hit = found != by_address_.end();
    if (hit) {
      order_.splice(order_.begin(), order_, found->second);
    } else {
      if (order_.size() == capacity_) {
        evicted(order_.back());
        by_address_.erase(order_.back().address);
        order_.pop_back();
      }
      order_.push_front({address});
      by_address_[address] = order_.begin();
    }
    Line& line = order_.front();
    line.reused |= line.used & words;
    line.used |= words;
    return hit;
  }

  template <class Evicted>
  void clear(Evicted evicted) {
    for (const Line& line : order_) evicted(line);
    order_.clear();
    by_address_.clear();
  }

 private:
  std::size_t capacity_;
  std::list<Line> order_;  // touched last first
  std::unordered_map<std::uint64_t, std::list<Line>::iterator> by_address_;
};

class SetAssociative {
 public:
  SetAssociative(const RunTimeIndex& index, std::size_t sets, std::size_t ways)
      : index_(index), ways_(ways), blocks_(sets * ways, absent) {}

  // Was it there? `set` becomes the set that it belongs to.
  bool access(std::uint64_t address, std::size_t& set) {
    const std::uint64_t block = index_.block_of(address);
    set = index_.set_of(block);
    std::uint64_t* const ways = &blocks_[set * ways_];
    std::size_t way = 0;
    while (way + 1 < ways_ && ways[way] != block) ++way;
    const bool hit = ways[way] == block;
    for (; way > 0; --way) ways[way] = ways[way - 1];
    ways[0] = block;
    return hit;
  }

  void clear() { std::ranges::fill(blocks_, absent); }

 private:
  static constexpr std::uint64_t absent = ~std::uint64_t{0};

  const RunTimeIndex& index_;
  std::size_t ways_;
  std::vector<std::uint64_t> blocks_;  // of a set touched last first
};

}  // namespace golden
