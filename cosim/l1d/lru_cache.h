// The hits and misses of a small cache, so that a monitor beside it sees what it would see in a real one.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace verif {

// Loads only; a miss fills at once. True LRU.
class LruCache {
 public:
  LruCache(int sets, int ways) : ways_(ways), lines_(sets) {}

  bool misses(unsigned set, std::uint64_t block_address) {
    auto& lines = lines_[set];  // the latest first
    const auto found = std::ranges::find(lines, block_address);
    const bool hit = found != lines.end();
    if (hit)
      lines.erase(found);
    else if (lines.size() == ways_)
      lines.pop_back();
    lines.insert(lines.begin(), block_address);
    return !hit;
  }

  void flush() {
    for (auto& lines : lines_) lines.clear();
  }

 private:
  std::size_t ways_;
  std::vector<std::vector<std::uint64_t>> lines_;
};

}  // namespace verif
