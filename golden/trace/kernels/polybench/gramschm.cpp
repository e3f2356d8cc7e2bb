// GRAMSCHM of PolyBench/GPU.
#include "golden/trace/kernels/polybench.h"

namespace golden {

namespace {

class GramSchmidt : public FixedProgram {
 public:
  // Not recorded: loops without unrolling, of these lengths.
  static constexpr std::uint32_t threads = 256, idle = 9;
  struct Norm {
    static constexpr std::uint32_t load = 21, first = 18, branch = 25, store = 33, exit = 34;
  };
  struct Scale {
    static constexpr std::uint32_t exit = 30;
  };
  struct Project {
    static constexpr std::uint32_t clear = 20, first = 26, branch = 36, second = 42, last = 51, exit = 52;
  };

  explicit GramSchmidt(const Sizes& sizes) : FixedProgram(sizes), ni_(sizes["ni"]), nj_(sizes["nj"]) {
    a_ = allocate(ni_ * nj_ * word);
    r_ = allocate(nj_ * nj_ * word);
    q_ = allocate(ni_ * nj_ * word);
    const std::array<std::uint32_t, 3> block{threads, 1, 1}, one{1, 1, 1};
    for (std::uint64_t k = 0; k < std::min(nj_, sizes["columns"]); ++k) {
      launch({"gramschmidt_kernel1", one, block}, [this, k](const Warp& w) { return norm(w, k); });
      launch({"gramschmidt_kernel2", {ceiling(nj_, threads), 1, 1}, block},
             [this, k](const Warp& w) { return scale(w, k); });
      launch({"gramschmidt_kernel3", {ceiling(nj_, threads), 1, 1}, block},
             [this, k](const Warp& w) { return project(w, k); });
    }
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t ni = sizes["ni"], nj = sizes["nj"];
    const std::array<std::uint32_t, 3> block{threads, 1, 1}, grid{ceiling(nj, threads), 1, 1};
    const WarpCount rows = count_warps(grid, block, {0, ni});
    WorkloadCounts all;
    for (std::uint64_t k = 0; k < std::min(nj, sizes["columns"]); ++k) {
      const WarpCount behind = count_warps(grid, block, {k + 1, nj});
      all.accesses += ni + 1 + 3 * rows.working + behind.working * (1 + 3 * ni + 4 * ni);
      all.instructions +=
          Norm::first + ni * (Norm::branch - Norm::first + 1) + Norm::exit - Norm::branch +
          (threads / 32 - 1) * (idle + 2) + rows.working * (Scale::exit + 1) + rows.idle() * (idle + 2) +
          behind.working * (Project::first + ni * (Project::branch - Project::first + 1) + Project::second -
                            Project::branch - 1 + ni * (Project::last - Project::second + 1) + Project::exit -
                            Project::last) +
          behind.idle() * (idle + 2);
    }
    return all;
  }

 private:
  // r[k][k] = the norm of column k, by one thread
  Accesses norm(Warp w, std::uint64_t k) const {
    const std::uint32_t lane = w.index() == 0 ? 1 : 0;
    if (lane == 0) w.jump(idle, Norm::exit);
    for (std::uint64_t i = 0; lane && i < ni_; ++i) {
      co_yield w.load(Norm::load, lane, word, [&](int) { return a_ + word * (i * nj_ + k); });
      if (i + 1 < ni_) w.jump(Norm::branch, Norm::first);
    }
    co_yield w.store(Norm::store, lane, word, [&](int) { return r_ + word * k * (nj_ + 1); });
    co_yield w.exit(Norm::exit);
  }
  // q[i][k] = a[i][k] / r[k][k]
  Accesses scale(Warp w, std::uint64_t k) const {
    const auto lanes = polybench_lanes(w, ni_);
    const auto column = Warp::lanes([&](int l) { return word * (w.x(l) * nj_ + k); });
    if (lanes == 0) w.jump(idle, Scale::exit);
    co_yield w.load(18, lanes, word, At{column, a_});
    co_yield w.load(23, lanes, word, [&](int) { return r_ + word * k * (nj_ + 1); });
    co_yield w.store(28, lanes, word, At{column, q_});
    co_yield w.exit(Scale::exit);
  }
  // For the columns j behind k: r[k][j] = q[.][k] a[.][j], then a[i][j] -= q[i][k] r[k][j]
  Accesses project(Warp w, std::uint64_t k) const {
    const auto lanes = Warp::where(polybench_lanes(w, nj_), [&](int l) { return w.x(l) > k; });
    const auto column = Warp::lanes([&](int l) { return word * w.x(l); });
    const At r{column, r_ + word * k * nj_};
    if (lanes == 0) w.jump(idle, Project::exit);
    co_yield w.store(Project::clear, lanes, word, r);
    for (std::uint64_t i = 0; lanes && i < ni_; ++i) {
      co_yield w.load(28, lanes, word, [&](int) { return q_ + word * (i * nj_ + k); });
      co_yield w.load(29, lanes, word, At{column, a_ + word * i * nj_});
      co_yield w.store(31, lanes, word, r);
      if (i + 1 < ni_) w.jump(Project::branch, Project::first);
    }
    for (std::uint64_t i = 0; lanes && i < ni_; ++i) {
      co_yield w.load(43, lanes, word, At{column, a_ + word * i * nj_});
      co_yield w.load(44, lanes, word, [&](int) { return q_ + word * (i * nj_ + k); });
      co_yield w.load(45, lanes, word, r);
      co_yield w.store(48, lanes, word, At{column, a_ + word * i * nj_});
      if (i + 1 < ni_) w.jump(Project::last, Project::second);
    }
    co_yield w.exit(Project::exit);
  }

  std::uint64_t ni_, nj_, a_, r_, q_;
};

}  // namespace

extern const Workload workload_gramschm;
const Workload workload_gramschm{
    "gramschm",
    "Gram-Schmidt, three launches a column: norm, scaling, projection",
    "PolyBench/GPU",
    "CUDA/GRAMSCHM/gramschmidt.cu: gramschmidt_kernel1, gramschmidt_kernel2, gramschmidt_kernel3",
    {},
    {{"ni", 256, 1, 1 << 13, "rows"},
     {"nj", 256, 1, 1 << 13, "columns"},
     {"columns", 64, 1, 1 << 13, "to work on at most"}},
    make_program<GramSchmidt>,
    GramSchmidt::counts,
    "its closed form"};

}  // namespace golden
