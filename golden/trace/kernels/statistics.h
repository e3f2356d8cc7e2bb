// What COVAR and CORR of PolyBench/GPU share: sums over the columns of a matrix, and sums of products of
// every column with those behind it.
#pragma once
#include "golden/trace/kernels/polybench.h"

namespace golden {

// One thread a column: out[j] = sum over i of data[i][j], with `mean` of its difference to mean[j]. Where the
// instructions stand is not recorded: the loop is taken as that of the other programs.
struct ColumnSum {
  static constexpr std::uint32_t first = 20, idle = 8, exit = 60;

  static Accesses run(Warp w, std::uint64_t rows, std::uint64_t columns, std::uint64_t data,
                      std::optional<std::uint64_t> mean, std::uint64_t out);
  static WorkloadCounts counts(std::uint64_t rows, std::uint64_t columns, bool mean);
};

// One thread an element, which loads `loads` vectors' elements of its column and changes its own.
struct Reduce {
  static constexpr std::uint32_t idle = 10, exit = 34;

  static Accesses run(Warp w, std::uint64_t rows, std::uint64_t columns, std::uint64_t data,
                      std::array<std::uint64_t, 2> vectors, std::size_t loads);
  static WorkloadCounts counts(std::uint64_t rows, std::uint64_t columns, std::size_t loads);
};

// One thread a column j1: for each column j2 from j1, or from the one behind it, the sum over rows of both,
// stored in every step, and at last at the mirrored index.
struct ColumnProducts {
  // A store of its own in front, behind which an instruction is jumped over.
  std::optional<std::uint32_t> diagonal = {};
  std::uint32_t clear = 0;  // the store of 0 in front of each sum
  std::uint32_t head = 0;   // where the loop over j2 begins
  UnrolledLoop loop = {};
  std::uint32_t mirror = 0;  // the store behind each sum
  std::uint32_t branch = 0;  // back to the next j2
  std::uint32_t idle = 0, exit = 0;

  Accesses run(Warp w, std::uint64_t rows, std::uint64_t columns, std::uint64_t data,
               std::uint64_t out) const;
  WorkloadCounts counts(std::uint64_t rows, std::uint64_t columns) const;
};

inline constexpr std::array<std::uint32_t, 3> statistics_row{256, 1, 1}, statistics_block{32, 8, 1};

}  // namespace golden
