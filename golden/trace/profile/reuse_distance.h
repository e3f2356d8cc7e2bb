// Exact LRU reuse distances: how many distinct lines were touched since a line was touched before.
//
// A Fenwick tree counts, over the order of touches, the lines whose latest touch stands there; a touch costs
// O(log n) of the distinct lines. The order is written again when it is full, so memory grows with the
// distinct lines alone: 24 bytes each, beside the table of lines.
#pragma once
#include <bit>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace golden {

class ReuseDistances {
 public:
  // Of the line, before this touch; none at its first.
  std::optional<std::uint64_t> touch(std::uint64_t line) {
    if (next_ == lines_.size()) renumber();
    const auto [found, fresh] = latest_.try_emplace(line, next_);
    std::optional<std::uint64_t> distance;
    if (!fresh) {
      distance = latest_.size() - up_to(found->second);
      add(found->second, ~std::uint32_t{0});
      live_[found->second] = false;
      found->second = next_;
    }
    lines_[next_] = line;
    live_[next_] = true;
    add(next_++, 1);
    return distance;
  }

  std::uint64_t distinct() const { return latest_.size(); }

  void clear() {
    latest_.clear();
    lines_.clear();
    live_.clear();
    tree_.clear();
    next_ = 0;
  }

 private:
  // Lines whose latest touch is at `place` or earlier.
  std::uint64_t up_to(std::uint64_t place) const {
    std::uint64_t count = 0;
    for (std::uint64_t i = place + 1; i > 0; i &= i - 1) count += tree_[i - 1];
    return count;
  }
  void add(std::uint64_t place, std::uint32_t more) {
    for (std::uint64_t i = place + 1; i <= tree_.size(); i += i & (~i + 1)) tree_[i - 1] += more;
  }

  // Keeps the order of the latest touches, without gaps, and leaves space for as many again.
  void renumber() {
    std::uint64_t to = 0;
    for (std::uint64_t from = 0; from < next_; ++from) {
      if (!live_[from]) continue;
      lines_[to] = lines_[from];
      latest_[lines_[to]] = to;
      ++to;
    }
    next_ = to;
    const std::uint64_t capacity = std::bit_ceil(std::max<std::uint64_t>(2 * to, 1024));
    lines_.resize(capacity);
    live_.assign(capacity, false);
    tree_.assign(capacity, 0);
    for (std::uint64_t i = 0; i < to; ++i) {
      live_[i] = true;
      add(i, 1);
    }
  }

  std::unordered_map<std::uint64_t, std::uint64_t> latest_;  // by line, the position of its latest touch
  std::vector<std::uint64_t> lines_;                         // by position
  std::vector<bool> live_;                                   // it is the latest touch of its line
  std::vector<std::uint32_t> tree_;
  std::uint64_t next_ = 0;
};

}  // namespace golden
