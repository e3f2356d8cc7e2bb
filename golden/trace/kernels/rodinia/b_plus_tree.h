// The tree that both kernels of Rodinia's b+tree search.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace golden {

// A tree of the keys 0, 1, 2, ... that were inserted in this order. A full node leaves the first half of its
// children behind, so that each but the last of a level has `half`. Nodes are numbered level by level.
class BPlusTree {
 public:
  static constexpr std::uint64_t order = 256, half = order / 2;
  // Bytes of a node: its number, the children, the keys, whether it is a leaf, and how many keys.
  static constexpr std::uint64_t node_bytes = 2068, children_at = 4, keys_at = 1032;

  explicit BPlusTree(std::uint64_t keys) {
    std::vector<std::uint64_t> counts{keys < order ? 1 : keys / half};
    while (counts.back() > 1) counts.push_back(counts.back() <= order ? 1 : (counts.back() - 1) / half);
    for (std::uint64_t first = 0; !counts.empty(); counts.pop_back()) {
      levels_.push_back({first, counts.back()});
      first += counts.back();
    }
  }

  std::uint64_t nodes() const { return levels_.back().first + levels_.back().count; }
  std::uint64_t height() const { return levels_.size() - 1; }  // levels below the root

  // On the way from the root to a key: the node of a level, and the key's position in it. In a leaf, the
  // first position is below all keys.
  struct Place {
    std::uint64_t node, slot;
  };
  Place place(std::uint64_t key, std::uint64_t level) const {
    const std::uint64_t leaf = std::min(key / half, levels_.back().count - 1);
    if (level == height()) return {levels_[level].first + leaf, key - leaf * half + 1};
    std::uint64_t child = leaf;
    for (std::uint64_t up = height() - 1;; --up) {
      const std::uint64_t node = std::min(child / half, levels_[up].count - 1);
      if (up == level) return {levels_[up].first + node, child - node * half};
      child = node;
    }
  }

 private:
  struct Level {
    std::uint64_t first, count;
  };
  std::vector<Level> levels_;
};

}  // namespace golden
