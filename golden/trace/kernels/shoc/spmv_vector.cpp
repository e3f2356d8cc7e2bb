// SpMV of SHOC, a CSR matrix with one warp a row.
#include "golden/trace/kernels/matrix.h"
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class SpmvVector : public FixedProgram {
 public:
  explicit SpmvVector(const Sizes& sizes) : FixedProgram(sizes), matrix_(sizes["side"]) {
    const std::uint64_t elements = matrix_.start(matrix_.rows());
    values_ = allocate(elements * word);
    columns_ = allocate(elements * word);
    starts_ = allocate((matrix_.rows() + 1) * word);
    x_ = allocate(matrix_.rows() * word);
    y_ = allocate(matrix_.rows() * word);
    KernelInfo kernel{
        "spmv_csr_vector_kernel", {ceiling(matrix_.rows(), threads / 32), 1, 1}, {threads, 1, 1}};
    kernel.shared_bytes = threads * word;
    launch(kernel, [this](const Warp& warp) { return row(warp); });
  }

 private:
  // Not recorded: a program and a loop of these lengths.
  static constexpr std::uint32_t threads = 128, idle = 12, first = 24, branch = 36, exit = 66;

  Accesses row(Warp w) const {
    const std::uint64_t row = std::uint64_t{w.block_x()} * (threads / 32) + w.index();
    if (row >= matrix_.rows()) {
      w.jump(idle, exit);
      co_yield w.exit(exit);
      co_return;
    }
    co_yield w.load(17, w.active(), word, [&](int) { return starts_ + word * row; });
    co_yield w.load(18, w.active(), word, [&](int) { return starts_ + word * (row + 1); });
    const std::uint64_t start = matrix_.start(row), size = matrix_.elements(row);
    const CubeMatrix::Row elements = matrix_.row(row);
    for (std::uint64_t step = 0; step < size; step += 32) {  // lanes beyond the row skip the loop
      const auto k = [&](int l) { return step + static_cast<std::uint64_t>(l); };
      const auto lanes = Warp::where(w.active(), [&](int l) { return k(l) < size; });
      if (step > 0) w.jump(branch, first);
      co_yield w.load(27, lanes, word, [&](int l) { return columns_ + word * (start + k(l)); });
      co_yield w.load(29, lanes, word, [&](int l) { return values_ + word * (start + k(l)); });
      co_yield w.load(32, lanes, word, [&](int l) { return x_ + word * elements.columns[k(l)]; });
    }
    co_yield w.store(exit - 2, 1, word, [&](int) { return y_ + word * row; });
    co_yield w.exit(exit);
  }

  CubeMatrix matrix_;
  std::uint64_t values_, columns_, starts_, x_, y_;
};

}  // namespace

extern const Workload workload_spmv_vector;
const Workload workload_spmv_vector{
    "spmv_vector",
    "y = A x for a CSR matrix of 27 neighbours on a cube of nodes, one warp a row",
    "SHOC",
    "src/cuda/level1/spmv/Spmv.cu: spmv_csr_vector_kernel",
    {{"DC-L1 thesis", "S-SpMV"}},
    {{"side", 32, 2, 128, "nodes along an edge of the cube"}},
    make_program<SpmvVector>,
    nullptr,
    "each element read once"};

}  // namespace golden
