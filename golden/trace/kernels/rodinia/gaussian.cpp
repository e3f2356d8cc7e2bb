// gaussian of Rodinia.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class Gaussian : public FixedProgram {
 public:
  static constexpr std::uint32_t row_threads = 512, side = 4;
  static constexpr std::uint32_t fan1_idle = 10, fan1_exit = 30, fan2_idle = 12, fan2_exit = 58,
                                 fan2_skipped = 13;

  explicit Gaussian(const Sizes& sizes) : FixedProgram(sizes), n_(sizes["n"]) {
    m_ = allocate(n_ * n_ * word);
    a_ = allocate(n_ * n_ * word);
    b_ = allocate(n_ * word);
    const std::uint32_t blocks = ceiling(n_, side);
    for (std::uint64_t t = 0; t + 1 < n_; ++t) {
      launch({"Fan1", {ceiling(n_, row_threads), 1, 1}, {row_threads, 1, 1}},
             [this, t](const Warp& w) { return fan1(w, t); });
      launch({"Fan2", {blocks, blocks, 1}, {side, side, 1}}, [this, t](const Warp& w) { return fan2(w, t); });
    }
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t n = sizes["n"], blocks = ceiling(n, side),
                        warps = ceiling(n, row_threads) * (row_threads / 32);
    WorkloadCounts all;
    for (std::uint64_t t = 0; t + 1 < n; ++t) {
      const std::uint64_t rows = ceiling(n - 1 - t, 32), x = ceiling(n - 1 - t, side),
                          y = ceiling(n - t, side);
      all.accesses += 3 * rows + 4 * x * y + 4 * x;
      all.instructions += rows * (fan1_exit + 1) + (warps - rows) * (fan1_idle + 2) +
                          x * y * (fan2_exit - fan2_skipped) + x * fan2_skipped +
                          (blocks * blocks - x * y) * (fan2_idle + 2);
    }
    return all;
  }

 private:
  // m[i][t] = a[i][t] / a[t][t] for the rows below t
  Accesses fan1(Warp w, std::uint64_t t) const {
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.x(l) < n_ - 1 - t; });
    const auto column = Warp::lanes([&](int l) { return word * (n_ * (w.x(l) + t + 1) + t); });
    if (lanes == 0) w.jump(fan1_idle, fan1_exit);
    co_yield w.load(21, lanes, word, At{column, a_});
    co_yield w.load(24, lanes, word, [&](int) { return a_ + word * t * (n_ + 1); });
    co_yield w.store(28, lanes, word, At{column, m_});
    co_yield w.exit(fan1_exit);
  }
  // a[i][j] -= m[i][t] a[t][j] for the rows below t; in the first column b[i] -= m[i][t] b[t] as well
  Accesses fan2(Warp w, std::uint64_t t) const {
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.x(l) < n_ - 1 - t && w.y(l) < n_ - t; });
    const auto first = Warp::where(lanes, [&](int l) { return w.y(l) == 0; });
    const auto row = Warp::lanes([&](int l) { return word * n_ * (w.x(l) + 1 + t); });
    const auto element = Warp::lanes([&](int l) { return a_ + word * (n_ * (w.x(l) + 1 + t) + w.y(l) + t); });
    const auto right = Warp::lanes([&](int l) { return b_ + word * (w.x(l) + 1 + t); });
    if (lanes == 0) {
      w.jump(fan2_idle, fan2_exit);
    } else {
      w.jump(fan2_idle + 1, fan2_idle + 3);
      co_yield w.load(32, lanes, word, [&](int l) { return a_ + word * (n_ * t + w.y(l) + t); });
      co_yield w.load(33, lanes, word, At{row, m_ + word * t});
      co_yield w.load(39, lanes, word, At{element});
      co_yield w.store(41, lanes, word, At{element});
      if (first == 0) w.jump(fan2_exit - fan2_skipped - 1, fan2_exit);
      co_yield w.load(49, first, word, [&](int) { return b_ + word * t; });
      co_yield w.load(50, first, word, At{row, m_ + word * t});
      co_yield w.load(54, first, word, At{right});
      co_yield w.store(56, first, word, At{right});
    }
    co_yield w.exit(fan2_exit);
  }

  std::uint64_t n_, m_, a_, b_;
};

}  // namespace

extern const Workload workload_gaussian;
const Workload workload_gaussian{"gaussian",
                                 "Gaussian elimination, two launches a column",
                                 "Rodinia",
                                 "cuda/gaussian/gaussian.cu: Fan1, Fan2",
                                 {{"TSC", "gaussian", "CLP"},
                                  {"BUCL", "GAU", "un-coalesced; 51,392,475 instructions"},
                                  {"Decoupled L1D", "GS"}},
                                 {{"n", 96, 2, 4096, "rows and columns"}},
                                 make_program<Gaussian>,
                                 Gaussian::counts,
                                 "recording of Fan2, record by record"};

}  // namespace golden
