// sgemm of Parboil: tiles of B in shared memory, sums in registers.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class Sgemm : public FixedProgram {
 public:
  static constexpr std::uint32_t columns = 16, depth = 8, rows = columns * depth;  // of a tile
  // Not recorded: two loops of these lengths, unrolled inside.
  static constexpr std::uint32_t first = 36, branch = 229, sums = 230, step = 6, exit = 327;

  explicit Sgemm(const Sizes& sizes) : FixedProgram(sizes), m_(sizes["m"]), n_(sizes["n"]), k_(sizes["k"]) {
    a_ = allocate(m_ * k_ * word);
    b_ = allocate(k_ * n_ * word);
    c_ = allocate(m_ * n_ * word);
    KernelInfo kernel{"mysgemmNT", {ceiling(m_, rows), ceiling(n_, columns), 1}, {columns, depth, 1}};
    kernel.shared_bytes = rows * word;
    launch(kernel, [this](const Warp& w) { return tile(w); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t m = sizes["m"], n = sizes["n"], k = sizes["k"];
    const std::uint64_t warps = m / rows * (n / columns) * (rows / 32);
    return {warps * (k / depth * (depth + 1) + 2 * columns),
            warps * (first + k / depth * (branch - first + 1) + exit - branch),
            lines_of(m * k * word) + lines_of(k * n * word) + lines_of(m * n * word)};
  }

 private:
  // A row of 16 sums a thread. A and C lie column by column, B row by row.
  Accesses tile(Warp w) const {
    const auto all = w.active();
    const auto row = Warp::lanes(
        [&](int l) { return word * (w.block_x() * rows + w.thread_y(l) * columns + w.thread_x(l)); });
    const auto of_b = Warp::lanes(
        [&](int l) { return b_ + word * (w.block_y() * columns + w.thread_x(l) + w.thread_y(l) * n_); });
    for (std::uint64_t i = 0; i < k_; i += depth) {
      if (i > 0) w.jump(branch, first);
      co_yield w.load(37, all, word, At{of_b, word * i * n_});
      co_yield w.barrier(39);
      for (std::uint32_t j = 0; j < depth; ++j)
        co_yield w.load(40 + 23 * j, all, word, At{row, a_ + word * (i + j) * m_});
      co_yield w.barrier(226);
    }
    for (std::uint64_t i = 0; i < columns; ++i) {
      const std::uint64_t column = c_ + word * m_ * (w.block_y() * columns + i);
      const auto pc = static_cast<std::uint32_t>(sums + step * i);
      co_yield w.load(pc + 1, all, word, At{row, column});
      co_yield w.store(pc + 4, all, word, At{row, column});
    }
    co_yield w.exit(exit);
  }

  std::uint64_t m_, n_, k_, a_, b_, c_;
};

}  // namespace

extern const Workload workload_sgemm;
const Workload workload_sgemm{"sgemm",
                              "C = alpha A B' + beta C in tiles of 128x16, 16 elements a thread",
                              "Parboil",
                              "benchmarks/sgemm/src/cuda_base/sgemm_kernel.cu: mysgemmNT",
                              {},
                              {{"m", 512, 128, 1 << 15, "rows of C", Sgemm::rows},
                               {"n", 512, 16, 1 << 15, "columns of C", Sgemm::columns},
                               {"k", 512, 8, 1 << 15, "columns of A", Sgemm::depth}},
                              make_program<Sgemm>,
                              Sgemm::counts,
                              "its closed form"};

}  // namespace golden
