// How often the caches of a topology hold the same lines (DC-L1 thesis, figure 5.20).
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace golden {

// Valid lines / distinct valid lines - 1. `lines_of(n)`: addresses of the lines in cache n. Caches with the
// same number modulo `homes` may hold the same lines; others cannot, although they may see them as the same
// squeezed address.
template <class LinesOf>
double replicas(int caches, int homes, LinesOf&& lines_of) {
  std::size_t valid = 0, distinct = 0;
  std::vector<std::uint64_t> lines;
  for (int home = 0; home < homes; ++home) {
    lines.clear();
    for (int n = home; n < caches; n += homes) {
      const auto held = lines_of(n);
      lines.insert(lines.end(), held.begin(), held.end());
    }
    std::ranges::sort(lines);
    valid += lines.size();
    distinct += static_cast<std::size_t>(std::unique(lines.begin(), lines.end()) - lines.begin());
  }
  return distinct ? static_cast<double>(valid) / static_cast<double>(distinct) - 1 : 0;
}

}  // namespace golden
