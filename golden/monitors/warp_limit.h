// Static warp limiting beside a warp scheduler (BUCL, section 4): of the warps that are present the oldest
// may issue, as many as the limit says.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace golden {

class WarpLimit {
 public:
  // Slots are bits: present are those launched, not finished, and not waiting at a barrier or fence.
  std::uint64_t allowed(std::uint64_t waiting, unsigned limit) const {
    std::uint64_t chosen = 0;
    for (const int slot : oldest_first_) {
      if (limit == 0) break;
      if (waiting >> slot & 1) continue;
      chosen |= std::uint64_t{1} << slot;
      --limit;
    }
    return chosen;
  }

  // The end of a cycle. A slot that finishes and launches has a new warp.
  void edge(std::uint64_t launch, std::uint64_t finish) {
    std::erase_if(oldest_first_, [&](int slot) { return ((finish | launch) >> slot & 1) != 0; });
    for (; launch; launch &= launch - 1) oldest_first_.push_back(std::countr_zero(launch));
  }
  void reset() { oldest_first_.clear(); }

  const std::vector<int>& oldest_first() const { return oldest_first_; }

 private:
  std::vector<int> oldest_first_;  // slots with a warp
};

}  // namespace golden
