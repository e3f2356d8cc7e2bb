// GESUMMV of PolyBench/GPU.
#include "golden/trace/kernels/polybench.h"

namespace golden {

namespace {

class Gesummv : public FixedProgram {
 public:
  // The loop over columns, unrolled by four; up to three are left over, two and then one.
  static constexpr std::uint32_t first = 34, branch = 80, idle = 8, exit = 116;

  explicit Gesummv(const Sizes& sizes) : FixedProgram(sizes), n_(sizes["n"]) {
    a_ = allocate(n_ * n_ * word);
    b_ = allocate(n_ * n_ * word);
    x_ = allocate(n_ * word);
    y_ = allocate(n_ * word);
    tmp_ = allocate(n_ * word);
    const auto block = polybench_block(sizes);
    launch({"gesummv_kernel", {ceiling(n_, block[0]), 1, 1}, block},
           [this](const Warp& w) { return row(w); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const auto block = polybench_block(sizes);
    const std::uint64_t n = sizes["n"];
    const WarpCount warps = count_warps({ceiling(n, block[0]), 1, 1}, block, {0, n});
    const std::uint64_t tail = n % 4 == 0 ? 11 : 21 + n % 4 * 15;
    return {warps.working * (8 * n + 3),
            warps.working * (first + n / 4 * (branch - first + 1) + tail) + warps.idle() * (idle + 2),
            2 * lines_of(n * n * word) + 3 * lines_of(n * word)};
  }

 private:
  static constexpr std::uint32_t rest = 94, rest_first = 91, rest_branch = 105;

  // tmp[i] = sum over j of A[i][j] * x[j], y[i] of B[i][j] * x[j]; then y[i] = alpha * tmp[i] + beta * y[i]
  Accesses row(Warp w) const {
    const auto lanes = polybench_lanes(w, n_);
    const auto row = Warp::lanes([&](int l) { return word * w.x(l) * n_; });
    const auto element = Warp::lanes([&](int l) { return word * w.x(l); });
    if (lanes == 0) {
      w.jump(idle, exit);
      co_yield w.exit(exit);
      co_return;
    }
    const std::uint64_t whole = n_ / 4 * 4;
    if (whole == 0) w.jump(first - 1, branch + 1);
    for (std::uint64_t j = 0; j < n_; ++j) {
      std::uint32_t pc = j < whole ? 38 + static_cast<std::uint32_t>(j % 4) * 10 : rest;
      for (const auto& [matrix, sum] : {std::pair(a_, tmp_), std::pair(b_, y_)}) {
        co_yield w.load(pc, lanes, word, [&](int) { return x_ + word * j; });
        co_yield w.load(pc + 1, lanes, word, At{row, matrix + word * j});
        co_yield w.load(pc + 2, lanes, word, At{element, sum});
        co_yield w.store(pc + 4, lanes, word, At{element, sum});
        pc += 5;
      }
      if (j + 1 < whole && j % 4 == 3) w.jump(branch, first);
      if (j >= whole && j + 1 < n_) w.jump(rest_branch, rest_first);
    }
    if (whole == n_) w.jump(84, 110);
    co_yield w.load(110, lanes, word, At{element, tmp_});
    co_yield w.load(111, lanes, word, At{element, y_});
    co_yield w.store(114, lanes, word, At{element, y_});
    co_yield w.exit(exit);
  }

  std::uint64_t n_, a_, b_, x_, y_, tmp_;
};

}  // namespace

extern const Workload workload_gesummv;
const Workload workload_gesummv{
    "gesummv",
    "y = alpha A x + beta B x, one thread a row",
    "PolyBench/GPU",
    "CUDA/GESUMMV/gesummv.cu: gesummv_kernel",
    {{"ACI thesis", "GSM", "conflicting and thrashing; long"}},
    {{"n", 1024, 1, 1 << 14, "rows and columns"}, polybench_row_x, polybench_row_y},
    make_program<Gesummv>,
    Gesummv::counts,
    "recording, record by record"};

}  // namespace golden
