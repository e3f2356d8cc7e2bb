// SpMV of SHOC, a CSR matrix with one thread a row.
#include "golden/trace/kernels/matrix.h"
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class Spmv : public FixedProgram {
 public:
  explicit Spmv(const Sizes& sizes) : FixedProgram(sizes), matrix_(sizes["side"]) {
    const std::uint64_t elements = matrix_.start(matrix_.rows());
    values_ = allocate(elements * word);
    columns_ = allocate(elements * word);
    starts_ = allocate((matrix_.rows() + 1) * word);
    x_ = allocate(matrix_.rows() * word);
    y_ = allocate(matrix_.rows() * word);
    launch({"spmv_csr_scalar_kernel", {ceiling(matrix_.rows(), threads), 1, 1}, {threads, 1, 1}},
           [this](const Warp& warp) { return product(warp); });
  }

 private:
  static constexpr std::uint32_t threads = 128, exit = 89;

  // The steps left over by an unrolling of four come first.
  Accesses product(Warp w) const {
    static constexpr std::uint32_t pcs[5][3] = {
        {35, 38, 39}, {55, 58, 59}, {61, 64, 65}, {67, 70, 71}, {73, 76, 77}};
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.x(l) < matrix_.rows(); });
    if (lanes == 0) w.jump(10, exit);
    co_yield w.load(17, lanes, word, [&](int l) { return starts_ + word * w.x(l); });
    co_yield w.load(18, lanes, word, [&](int l) { return starts_ + word * (w.x(l) + 1); });
    std::array<CubeMatrix::Row, 32> rows;
    const auto row = [&](int l) -> CubeMatrix::Row& { return rows[static_cast<std::size_t>(l)]; };
    for (int l = 0; l < 32; ++l)
      if (lanes >> l & 1) row(l) = matrix_.row(w.x(l));
    const auto size = [&](int l) { return std::uint64_t{row(l).size}; };
    for (std::uint64_t step = 0; lanes && step < 3 + 28; ++step) {
      const bool left_over = step < 3;
      const auto k = [&](int l) { return left_over ? step : size(l) % 4 + step - 3; };
      const auto loop =
          Warp::where(lanes, [&](int l) { return left_over ? step < size(l) % 4 : k(l) < size(l); });
      if (loop == 0) continue;
      const auto at = [&](int l) { return word * (matrix_.start(w.x(l)) + k(l)); };
      const auto& pc = pcs[left_over ? 0 : 1 + (step - 3) % 4];
      if (step > 0 && left_over) w.jump(43, 33);
      if (step > 3 && (step - 3) % 4 == 0) w.jump(81, 53);
      co_yield w.load(pc[0], loop, word, [&](int l) { return columns_ + at(l); });
      co_yield w.load(pc[1], loop, word, [&](int l) { return x_ + word * row(l).columns[k(l)]; });
      co_yield w.load(pc[2], loop, word, [&](int l) { return values_ + at(l); });
    }
    co_yield w.store(87, lanes, word, [&](int l) { return y_ + word * w.x(l); });
    co_yield w.exit(exit);
  }

  CubeMatrix matrix_;
  std::uint64_t values_, columns_, starts_, x_, y_;
};

}  // namespace

extern const Workload workload_spmv;
const Workload workload_spmv{
    "spmv",
    "y = A x for a CSR matrix of 27 neighbours on a cube of nodes, one thread a row",
    "SHOC",
    "src/cuda/level1/spmv/Spmv.cu: spmv_csr_scalar_kernel",
    {{"DC-L1 thesis", "S-SpMV"}, {"ACI thesis", "SPMV", "thrashing; short"}},
    {{"side", 32, 2, 128, "nodes along an edge of the cube"}},
    make_program<Spmv>,
    nullptr,
    "each element read once; program counters and instructions by a recording of another matrix"};

}  // namespace golden
