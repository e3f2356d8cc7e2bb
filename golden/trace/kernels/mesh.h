// Generated unstructured meshes, the same on every machine.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "golden/trace/kernels/random.h"

namespace golden {

// Cells of a cube, each with up to four neighbours as a tetrahedron has: two along x, and one each along y
// and z, where cells stand in pairs. Numbers are shuffled among 512 cells at a time.
class CubeMesh {
 public:
  static constexpr std::uint32_t none = ~0u;

  CubeMesh(std::uint32_t side, std::uint64_t seed) : side_(side), cell_(cells()), number_(cells()) {
    for (std::uint32_t i = 0; i < cells(); ++i) cell_[i] = i;
    for (std::uint32_t first = 0; first < cells(); first += shuffled)
      for (std::uint32_t i = std::min(shuffled, cells() - first); i > 1; --i)
        std::swap(cell_[first + i - 1], cell_[first + random_bits(seed, first + i) % i]);
    for (std::uint32_t i = 0; i < cells(); ++i) number_[cell_[i]] = i;
  }

  std::uint32_t cells() const { return side_ * side_ * side_; }
  // By the numbers of both; `none` outside of the cube.
  std::uint32_t neighbour(std::uint32_t number, std::uint32_t face) const {
    const std::uint32_t cell = cell_[number], step[] = {1, side_, side_ * side_};
    const std::uint32_t axis = face < 2 ? 0 : face - 1, at = cell / step[axis] % side_;
    const bool up = face < 2 ? face == 1 : at % 2 == 0;
    if (at == (up ? side_ - 1 : 0)) return none;
    return number_[up ? cell + step[axis] : cell - step[axis]];
  }

 private:
  static constexpr std::uint32_t shuffled = 512;
  std::uint32_t side_;
  std::vector<std::uint32_t> cell_, number_;  // by number, by cell
};

}  // namespace golden
