// FDTD-2D of PolyBench/GPU.
#include "golden/trace/kernels/polybench.h"

namespace golden {

namespace {

class Fdtd2d : public FixedProgram {
 public:
  // Not recorded: straight programs of these lengths.
  static constexpr std::uint32_t idle = 12, exit = 46;

  explicit Fdtd2d(const Sizes& sizes) : FixedProgram(sizes), nx_(sizes["nx"]), ny_(sizes["ny"]) {
    const std::uint64_t steps = sizes["steps"];
    fict_ = allocate(steps * word);
    ex_ = allocate(nx_ * (ny_ + 1) * word);
    ey_ = allocate((nx_ + 1) * ny_ * word);
    hz_ = allocate(nx_ * ny_ * word);
    const auto block = polybench_block(sizes);
    const std::array<std::uint32_t, 3> grid{ceiling(ny_, block[0]), ceiling(nx_, block[1]), 1};
    for (std::uint64_t t = 0; t < steps; ++t) {
      launch({"fdtd_step1_kernel", grid, block}, [this, t](const Warp& w) { return step1(w, t); });
      launch({"fdtd_step2_kernel", grid, block}, [this](const Warp& w) { return step2(w); });
      launch({"fdtd_step3_kernel", grid, block}, [this](const Warp& w) { return step3(w); });
    }
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const auto block = polybench_block(sizes);
    const std::uint64_t nx = sizes["nx"], ny = sizes["ny"];
    const std::array<std::uint32_t, 3> grid{ceiling(ny, block[0]), ceiling(nx, block[1]), 1};
    const auto warps = [&](Inside x, Inside y) { return count_warps(grid, block, x, y); };
    const WarpCount all = warps({0, ny}, {0, nx}), top = warps({0, ny}, {0, 1}),
                    below = warps({0, ny}, {1, nx}), right = warps({1, ny}, {0, nx});
    // The first row takes another way in step 1: a warp with both goes both.
    const std::uint64_t accesses = 2 * top.working + 4 * below.working + 4 * right.working + 6 * all.working;
    const std::uint64_t instructions = 2 * (all.working * (exit + 1) + all.idle() * (idle + 2)) +
                                       right.working * (exit + 1) + right.idle() * (idle + 2);
    return {sizes["steps"] * accesses, sizes["steps"] * instructions, 0};
  }

 private:
  Lanes at(const Warp& w, std::uint64_t row) const {
    return Warp::lanes([&](int l) { return word * (w.y(l) * row + w.x(l)); });
  }

  // ey[i][j] -= (hz[i][j] - hz[i - 1][j]) / 2; the first row is given.
  Accesses step1(Warp w, std::uint64_t t) const {
    const auto lanes = polybench_lanes(w, ny_, nx_);
    const auto top = Warp::where(lanes, [&](int l) { return w.y(l) == 0; }), rest = lanes & ~top;
    const Lanes here = at(w, ny_);
    if (lanes == 0) w.jump(idle, exit);
    co_yield w.load(17, top, word, [&](int) { return fict_ + word * t; });
    co_yield w.store(20, top, word, At{here, ey_});
    co_yield w.load(30, rest, word, At{here, ey_});
    co_yield w.load(33, rest, word, At{here, hz_});
    co_yield w.load(36, rest, word, At{here, hz_ - word * ny_});
    co_yield w.store(42, rest, word, At{here, ey_});
    co_yield w.exit(exit);
  }
  // ex[i][j] -= (hz[i][j] - hz[i][j - 1]) / 2, but for the first column
  Accesses step2(Warp w) const {
    const auto lanes = Warp::where(polybench_lanes(w, ny_, nx_), [&](int l) { return w.x(l) > 0; });
    const Lanes here = at(w, ny_), wide = at(w, ny_ + 1);
    if (lanes == 0) w.jump(idle, exit);
    co_yield w.load(26, lanes, word, At{wide, ex_});
    co_yield w.load(30, lanes, word, At{here, hz_});
    co_yield w.load(33, lanes, word, At{here, hz_ - word});
    co_yield w.store(42, lanes, word, At{wide, ex_});
    co_yield w.exit(exit);
  }
  // hz[i][j] -= 0.7 (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j])
  Accesses step3(Warp w) const {
    const auto lanes = polybench_lanes(w, ny_, nx_);
    const Lanes here = at(w, ny_), wide = at(w, ny_ + 1);
    if (lanes == 0) w.jump(idle, exit);
    co_yield w.load(20, lanes, word, At{here, hz_});
    co_yield w.load(25, lanes, word, At{wide, ex_ + word});
    co_yield w.load(26, lanes, word, At{wide, ex_});
    co_yield w.load(32, lanes, word, At{here, ey_ + word * ny_});
    co_yield w.load(35, lanes, word, At{here, ey_});
    co_yield w.store(42, lanes, word, At{here, hz_});
    co_yield w.exit(exit);
  }

  std::uint64_t nx_, ny_, fict_, ex_, ey_, hz_;
};

}  // namespace

extern const Workload workload_fdtd2d;
const Workload workload_fdtd2d{
    "fdtd2d",
    "finite differences in time, three launches a step, one thread a cell",
    "PolyBench/GPU",
    "CUDA/FDTD-2D/fdtd2d.cu: fdtd_step1_kernel, fdtd_step2_kernel, fdtd_step3_kernel",
    {},
    {{"nx", 512, 1, 1 << 14, "rows"},
     {"ny", 512, 1, 1 << 14, "columns"},
     {"steps", 4, 1, 10000, "in time"},
     polybench_block_x,
     polybench_block_y},
    make_program<Fdtd2d>,
    Fdtd2d::counts,
    "its closed form"};

}  // namespace golden
