// SYR2K of PolyBench/GPU.
#include "golden/trace/kernels/polybench.h"

namespace golden {

namespace {

class Syr2k : public FixedProgram {
 public:
  // Not recorded: the loop is taken as that of SYRK without unrolling.
  static constexpr std::uint32_t idle = 10, first = 42, branch = 60, exit = 62;

  explicit Syr2k(const Sizes& sizes) : FixedProgram(sizes), ni_(sizes["ni"]), nj_(sizes["nj"]) {
    a_ = allocate(ni_ * nj_ * word);
    b_ = allocate(ni_ * nj_ * word);
    c_ = allocate(ni_ * ni_ * word);
    const auto block = polybench_block(sizes);
    launch({"syr2k_kernel", {ceiling(ni_, block[0]), ceiling(ni_, block[1]), 1}, block},
           [this](const Warp& w) { return element(w); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const auto block = polybench_block(sizes);
    const std::uint64_t ni = sizes["ni"], nj = sizes["nj"];
    const WarpCount warps =
        count_warps({ceiling(ni, block[0]), ceiling(ni, block[1]), 1}, block, {0, ni}, {0, ni});
    return {warps.working * (2 + 5 * nj),
            warps.working * (first + nj * (branch - first + 1) + exit - branch) + warps.idle() * (idle + 2),
            2 * lines_of(ni * nj * word) + lines_of(ni * ni * word)};
  }

 private:
  // c[i][j] = beta c[i][j] + sum over k of a[i][k] b[j][k] + b[i][k] a[j][k]
  Accesses element(Warp w) const {
    const auto lanes = polybench_lanes(w, ni_, ni_);
    const auto c = Warp::lanes([&](int l) { return c_ + word * (w.y(l) * ni_ + w.x(l)); });
    const auto i = Warp::lanes([&](int l) { return word * w.y(l) * nj_; });
    const auto j = Warp::lanes([&](int l) { return word * w.x(l) * nj_; });
    if (lanes == 0) {
      w.jump(idle, exit);
    } else {
      co_yield w.load(24, lanes, word, At{c});
      co_yield w.store(26, lanes, word, At{c});
      for (std::uint64_t k = 0; k < nj_; ++k) {
        co_yield w.load(45, lanes, word, At{i, a_ + word * k});
        co_yield w.load(48, lanes, word, At{j, b_ + word * k});
        co_yield w.load(50, lanes, word, At{i, b_ + word * k});
        co_yield w.load(52, lanes, word, At{j, a_ + word * k});
        co_yield w.store(56, lanes, word, At{c});
        if (k + 1 < nj_) w.jump(branch, first);
      }
    }
    co_yield w.exit(exit);
  }

  std::uint64_t ni_, nj_, a_, b_, c_;
};

}  // namespace

extern const Workload workload_syr2k;
const Workload workload_syr2k{"syr2k",
                              "C = alpha A B^T + alpha B A^T + beta C, one thread an element",
                              "PolyBench/GPU",
                              "CUDA/SYR2K/syr2k.cu: syr2k_kernel",
                              {},
                              {{"ni", 128, 1, 1 << 14, "rows of A and B"},
                               {"nj", 128, 1, 1 << 14, "columns of A and B"},
                               polybench_block_x,
                               polybench_block_y},
                              make_program<Syr2k>,
                              Syr2k::counts,
                              "its closed form"};

}  // namespace golden
