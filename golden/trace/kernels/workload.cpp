#include "golden/trace/kernels/workload.h"

#include <algorithm>
#include <map>

namespace golden {

namespace {

// Blocks along an axis by which of their threads are inside: few kinds, however many blocks.
std::map<std::vector<bool>, std::uint64_t> kinds(std::uint32_t blocks, std::uint32_t threads, Inside inside) {
  std::map<std::vector<bool>, std::uint64_t> out;
  std::vector<bool> kind(threads);
  for (std::uint64_t b = 0; b < blocks; ++b) {
    for (std::uint32_t t = 0; t < threads; ++t) {
      const std::uint64_t at = b * threads + t;
      kind[t] = at >= inside.first && at < inside.end;
    }
    ++out[kind];
  }
  return out;
}

}  // namespace

WarpCount count_warps(const std::array<std::uint32_t, 3>& grid, const std::array<std::uint32_t, 3>& block,
                      Inside x, Inside y) {
  WarpCount count;
  const std::uint32_t threads = block[0] * block[1];
  for (const auto& [row, rows] : kinds(grid[1], block[1], y))
    for (const auto& [column, columns] : kinds(grid[0], block[0], x))
      for (std::uint32_t first = 0; first < threads; first += 32) {
        bool works = false;
        for (std::uint32_t t = first; t < std::min(first + 32, threads); ++t)
          works |= column[t % block[0]] && row[t / block[0]];
        count.all += rows * columns;
        count.working += works ? rows * columns : 0;
      }
  return count;
}

}  // namespace golden
