// A walk of an adaptive index: each of its bits comes to each position among the address bits, and each
// address bit into the index.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace verif {

class AdiWalk {
 public:
  // `offset`: the lowest address bit of a block address.
  AdiWalk(int block_bits, int offset) : block_bits_(block_bits), offset_(offset) {}

  // The index bit without which the others stand where they never stood; of equal ones any.
  template <class Draw>
  int victim(Draw& draw, std::span<const int> sel) const {
    return best(draw, static_cast<int>(sel.size()), [&](int v) { return fresh(sel, v); });
  }

  // The address bit that replaces the victim: one that the index never had, if there is one, and of such the
  // one with which a later victim leaves the others where they never stood.
  template <class Draw>
  int winner(Draw& draw, std::span<const int> sel, int victim) const {
    std::vector<int> next(sel.begin(), sel.end());
    const int positions = static_cast<int>(sel.size());
    return offset_ + best(draw, block_bits_, [&](int bit) {
             if (std::ranges::count(sel, offset_ + bit)) return -1;
             next[static_cast<std::size_t>(victim)] = offset_ + bit;
             int most = 0;
             for (int v = 0; v < positions; ++v) most = std::max(most, fresh(next, v));
             const bool is_new = !(selected_ >> bit & 1);
             return is_new ? positions + most : most;
           });
  }

  // A selection with these index bits, this one to be replaced.
  void saw(std::span<const int> sel, int victim) {
    const std::vector<int> positions = positions_of(sel, victim);
    stood_.resize(positions.size());
    for (std::size_t k = 0; k < positions.size(); ++k) stood_[k] |= std::uint64_t{1} << positions[k];
    for (const int bit : sel) selected_ |= std::uint64_t{1} << (bit - offset_);
  }

 private:
  // The first with the highest score, from any on.
  template <class Draw, class Score>
  static int best(Draw& draw, int count, Score score) {
    const int first = static_cast<int>(draw() % static_cast<unsigned>(count));
    int found = first, most = -1;
    for (int i = 0; i < count; ++i) {
      const int n = (first + i) % count;
      if (const int s = score(n); s > most) most = s, found = n;
    }
    return found;
  }

  // Index bits but the victim, in ascending order: how many candidates are below each.
  std::vector<int> positions_of(std::span<const int> sel, int victim) const {
    std::vector<int> kept(sel.begin(), sel.end());
    kept.erase(kept.begin() + victim);
    std::ranges::sort(kept);
    for (int k = 0; int& bit : kept) bit -= offset_ + k++;
    return kept;
  }

  int fresh(std::span<const int> sel, int victim) const {
    int number = 0;
    const std::vector<int> positions = positions_of(sel, victim);
    for (std::size_t k = 0; k < positions.size(); ++k)
      number += k >= stood_.size() || !(stood_[k] >> positions[k] & 1);
    return number;
  }

  int block_bits_, offset_;
  std::vector<std::uint64_t> stood_;  // by kept index bit
  std::uint64_t selected_ = 0;        // bits of a block address
};

}  // namespace verif
