// Generated samples on straight spokes through the middle of a cube, the same on every machine.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "golden/trace/kernels/random.h"

namespace golden {

// Coordinates are in 256ths of a cell of the cube's grid. A spoke goes from a drawn point of the cube to the
// opposite one, with `spoke` samples in equal steps, so that samples are dense in the middle.
class Spokes {
 public:
  static constexpr std::int64_t unit = 256;
  static constexpr std::uint64_t spoke = 64;
  using Point = std::array<std::int64_t, 3>;

  Spokes(std::uint64_t samples, std::uint64_t side, std::uint64_t seed) {
    const auto extent = unit * static_cast<std::int64_t>(side);
    for (std::uint64_t i = 0; i < samples; ++i) {
      const auto at = static_cast<std::int64_t>(2 * (i % spoke) + 1);  // of twice `spoke` steps
      Point point;
      for (std::uint64_t axis = 0; axis < 3; ++axis) {
        const auto start = static_cast<std::int64_t>(random_bits(seed, 3 * (i / spoke) + axis) %
                                                     static_cast<std::uint64_t>(extent));
        point[axis] = start + (extent - 1 - 2 * start) * at / static_cast<std::int64_t>(2 * spoke);
      }
      points_.push_back(point);
    }
  }

  const std::vector<Point>& points() const { return points_; }

 private:
  std::vector<Point> points_;
};

}  // namespace golden
