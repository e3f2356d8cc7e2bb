// spmv of Parboil: a matrix in jagged diagonals, one thread a row.
#include <algorithm>
#include <numeric>

#include "golden/trace/kernels/matrix.h"
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class SpmvJds : public FixedProgram {
 public:
  explicit SpmvJds(const Sizes& sizes)
      : FixedProgram(sizes), matrix_(sizes["side"]), order_(matrix_.rows()), diagonals_{0} {
    std::iota(order_.begin(), order_.end(), 0);
    std::ranges::stable_sort(order_, std::ranges::greater(), [&](std::uint32_t row) { return length(row); });
    for (std::uint64_t k = 0; k < length(order_[0]); ++k) {
      std::uint64_t rows = 0;  // of whole warps, whose rows are padded to their first
      while (rows < matrix_.rows() && length(order_[rows]) > k) rows += 32;
      diagonals_.push_back(diagonals_.back() + rows);
    }
    values_ = allocate(diagonals_.back() * word);
    columns_ = allocate(diagonals_.back() * word);
    rows_ = allocate(matrix_.rows() * word);
    x_ = allocate(matrix_.rows() * word);
    y_ = allocate(matrix_.rows() * word);
    launch({"spmv_jds", {ceiling(matrix_.rows(), threads), 1, 1}, {threads, 1, 1}},
           [this](const Warp& warp) { return row(warp); });
  }

 private:
  // Not recorded: a program and a loop of these lengths.
  static constexpr std::uint32_t threads = 192, idle = 9, first = 36, branch = 49, exit = 66;

  std::uint64_t length(std::uint32_t row) const { return matrix_.elements(row); }

  // The element k of each row; its column is read one step ahead. Offsets of diagonals and lengths are in
  // constant memory. What fills a row up has column 0.
  Accesses row(Warp w) const {
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.x(l) < matrix_.rows(); });
    if (lanes == 0) {
      w.jump(idle, exit);
      co_yield w.exit(exit);
      co_return;
    }
    const auto at = Warp::lanes([&](int l) { return word * w.x(l); });
    const std::uint64_t bound = length(order_[w.x(0)]);
    const auto value = [&](std::uint64_t k) { return At{at, values_ + word * diagonals_[k]}; };
    const auto column = [&](std::uint64_t k) { return At{at, columns_ + word * diagonals_[k]}; };
    std::array<CubeMatrix::Row, 32> rows;  // behind their elements they have column 0
    for (int l = 0; l < 32; ++l)
      if (lanes >> l & 1) rows[static_cast<std::size_t>(l)] = matrix_.row(order_[w.x(l)]);
    const auto x = [&](std::uint64_t k) {
      return [&, k](int l) { return x_ + word * rows[static_cast<std::size_t>(l)].columns[k]; };
    };
    co_yield w.load(18, lanes, word, value(0));
    co_yield w.load(21, lanes, word, column(0));
    co_yield w.load(24, lanes, word, x(0));
    if (bound == 1) w.jump(26, 59);
    if (bound > 1) co_yield w.load(31, lanes, word, column(1));
    if (bound == 2) w.jump(33, branch + 1);
    for (std::uint64_t k = 2; k < bound; ++k) {
      if (k > 2) w.jump(branch, first);
      co_yield w.load(38, lanes, word, value(k - 1));
      co_yield w.load(43, lanes, word, column(k));
      co_yield w.load(46, lanes, word, x(k - 1));
    }
    if (bound > 1) {
      co_yield w.load(53, lanes, word, value(bound - 1));
      co_yield w.load(56, lanes, word, x(bound - 1));
    }
    co_yield w.load(61, lanes, word, At{at, rows_});
    co_yield w.store(65, lanes, word, [&](int l) { return y_ + word * order_[w.x(l)]; });
    co_yield w.exit(exit);
  }

  CubeMatrix matrix_;
  std::vector<std::uint32_t> order_;      // rows, the longest first
  std::vector<std::uint64_t> diagonals_;  // where they begin
  std::uint64_t values_, columns_, rows_, x_, y_;
};

}  // namespace

extern const Workload workload_spmv_jds;
const Workload workload_spmv_jds{
    "spmv_jds",
    "y = A x for a matrix of 27 neighbours on a cube of nodes in jagged diagonals, one thread a row",
    "Parboil",
    "benchmarks/spmv/src/cuda/jds_kernels.cu: spmv_jds",
    {{"TSC", "spmv", "CLN"}},
    {{"side", 32, 2, 128, "nodes along an edge of the cube"}},
    make_program<SpmvJds>,
    nullptr,
    "each element read once"};

}  // namespace golden
