// Generated sparse matrices, the same on every machine.
#pragma once
#include <vector>

#include "golden/trace/kernels/program.h"

namespace golden {

// A matrix of a cube of nodes, each coupled to itself and to its up to 26 neighbours, columns ascending.
class CubeMatrix {
 public:
  explicit CubeMatrix(std::uint64_t side) : side_(side) {
    start_.push_back(0);
    for (std::uint64_t row = 0; row < rows(); ++row) start_.push_back(start_.back() + elements(row));
  }

  std::uint64_t rows() const { return side_ * side_ * side_; }
  std::uint64_t start(std::uint64_t row) const { return start_[row]; }
  std::uint64_t column(std::uint64_t row, std::uint64_t k) const {
    const Range x = near(row % side_), y = near(row / side_ % side_), z = near(row / side_ / side_);
    return ((z.first + k / (x.size * y.size)) * side_ + y.first + k / x.size % y.size) * side_ + x.first +
           k % x.size;
  }

 private:
  struct Range {
    std::uint64_t first, size;
  };
  Range near(std::uint64_t at) const {
    const std::uint64_t first = at > 0 ? at - 1 : 0, last = at + 1 < side_ ? at + 1 : at;
    return {first, last - first + 1};
  }
  std::uint32_t elements(std::uint64_t row) const {
    return static_cast<std::uint32_t>(near(row % side_).size * near(row / side_ % side_).size *
                                      near(row / side_ / side_).size);
  }

  std::uint64_t side_;
  std::vector<std::uint32_t> start_;
};

}  // namespace golden
