// SpMV of SHOC, an ELLPACK-R matrix with one thread a row.
#include <algorithm>

#include "golden/trace/kernels/matrix.h"
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class SpmvEllpack : public FixedProgram {
 public:
  explicit SpmvEllpack(const Sizes& sizes) : FixedProgram(sizes), matrix_(sizes["side"]) {
    std::uint64_t longest = 0;
    for (std::uint64_t row = 0; row < matrix_.rows(); ++row)
      longest = std::max<std::uint64_t>(longest, matrix_.elements(row));
    values_ = allocate(longest * matrix_.rows() * word);
    columns_ = allocate(longest * matrix_.rows() * word);
    lengths_ = allocate(matrix_.rows() * word);
    x_ = allocate(matrix_.rows() * word);
    y_ = allocate(matrix_.rows() * word);
    launch({"spmv_ellpackr_kernel", {ceiling(matrix_.rows(), threads), 1, 1}, {threads, 1, 1}},
           [this](const Warp& warp) { return row(warp); });
  }

 private:
  // Not recorded: a program and a loop of these lengths.
  static constexpr std::uint32_t threads = 128, idle = 9, first = 20, branch = 31, exit = 36;

  // Elements with the same position in their rows stand side by side.
  Accesses row(Warp w) const {
    const auto inside = Warp::where(w.active(), [&](int l) { return w.x(l) < matrix_.rows(); });
    const auto row = Warp::lanes([&](int l) { return word * w.x(l); });
    if (inside == 0) w.jump(idle, exit);
    co_yield w.load(14, inside, word, At{row, lengths_});
    std::array<CubeMatrix::Row, 32> rows;
    for (int l = 0; l < 32; ++l)
      if (inside >> l & 1) rows[static_cast<std::size_t>(l)] = matrix_.row(w.x(l));
    std::uint32_t lanes = inside;
    for (std::uint64_t k = 0; lanes; ++k) {
      lanes = Warp::where(lanes, [&](int l) { return k < rows[static_cast<std::size_t>(l)].size; });
      if (lanes == 0) break;
      if (k > 0) w.jump(branch, first);
      co_yield w.load(23, lanes, word, At{row, columns_ + word * k * matrix_.rows()});
      co_yield w.load(26, lanes, word,
                      [&](int l) { return x_ + word * rows[static_cast<std::size_t>(l)].columns[k]; });
      co_yield w.load(28, lanes, word, At{row, values_ + word * k * matrix_.rows()});
    }
    co_yield w.store(exit - 1, inside, word, At{row, y_});
    co_yield w.exit(exit);
  }

  CubeMatrix matrix_;
  std::uint64_t values_, columns_, lengths_, x_, y_;
};

}  // namespace

extern const Workload workload_spmv_ellpackr;
const Workload workload_spmv_ellpackr{
    "spmv_ellpackr",
    "y = A x for an ELLPACK-R matrix of 27 neighbours on a cube of nodes, one thread a row",
    "SHOC",
    "src/cuda/level1/spmv/Spmv.cu: spmv_ellpackr_kernel",
    {{"DC-L1 thesis", "S-SpMV"}},
    {{"side", 32, 2, 128, "nodes along an edge of the cube"}},
    make_program<SpmvEllpack>,
    nullptr,
    "each element read once"};

}  // namespace golden
