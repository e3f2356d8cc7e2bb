// Generated sparse matrices, the same on every machine.
#pragma once
#include <array>
#include <vector>

#include "golden/trace/kernels/program.h"

namespace golden {

// A matrix of a cube of nodes, each coupled to itself and to its up to 26 neighbours, columns ascending.
class CubeMatrix {
 public:
  explicit CubeMatrix(std::uint64_t side) : side_(side) {
    start_.push_back(0);
    for (std::uint64_t row = 0; row < rows(); ++row) start_.push_back(start_.back() + count(row));
  }

  std::uint64_t rows() const { return side_ * side_ * side_; }
  std::uint64_t start(std::uint64_t row) const { return start_[row]; }
  // The columns of a row's elements.
  struct Row {
    std::array<std::uint32_t, 27> columns = {};
    std::uint32_t size = 0;
  };
  Row row(std::uint64_t number) const {
    const Range x = near(number % side_), y = near(number / side_ % side_), z = near(number / side_ / side_);
    Row out;
    for (std::uint64_t c = z.first; c < z.first + z.size; ++c)
      for (std::uint64_t b = y.first; b < y.first + y.size; ++b)
        for (std::uint64_t a = x.first; a < x.first + x.size; ++a)
          out.columns[out.size++] = static_cast<std::uint32_t>((c * side_ + b) * side_ + a);
    return out;
  }
  std::uint32_t elements(std::uint64_t row) const { return start_[row + 1] - start_[row]; }

 private:
  struct Range {
    std::uint64_t first, size;
  };
  Range near(std::uint64_t at) const {
    const std::uint64_t first = at > 0 ? at - 1 : 0, last = at + 1 < side_ ? at + 1 : at;
    return {first, last - first + 1};
  }
  std::uint32_t count(std::uint64_t row) const {
    return static_cast<std::uint32_t>(near(row % side_).size * near(row / side_ % side_).size *
                                      near(row / side_ / side_).size);
  }

  std::uint64_t side_;
  std::vector<std::uint32_t> start_;
};

}  // namespace golden
