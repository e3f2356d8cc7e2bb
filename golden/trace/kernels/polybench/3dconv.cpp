// 3DCONV of PolyBench/GPU.
#include "golden/trace/kernels/polybench.h"

namespace golden {

namespace {

class Convolution3d : public FixedProgram {
 public:
  // One instruction behind the guard is jumped over.
  static constexpr std::uint32_t idle = 28, exit = 71;
  static constexpr std::uint64_t taps = 11;

  explicit Convolution3d(const Sizes& sizes)
      : FixedProgram(sizes), ni_(sizes["ni"]), nj_(sizes["nj"]), nk_(sizes["nk"]) {
    a_ = allocate(ni_ * nj_ * nk_ * word);
    b_ = allocate(ni_ * nj_ * nk_ * word);
    const auto block = polybench_block(sizes);
    for (std::uint64_t i = 1; i + 1 < ni_; ++i)
      launch({"convolution3D_kernel", {ceiling(nk_, block[0]), ceiling(nj_, block[1]), 1}, block},
             [this, i](const Warp& w) { return plane(w, i); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const auto block = polybench_block(sizes);
    const std::uint64_t planes = sizes["ni"] - 2, nj = sizes["nj"], nk = sizes["nk"];
    const WarpCount warps =
        count_warps({ceiling(nk, block[0]), ceiling(nj, block[1]), 1}, block, {1, nk - 1}, {1, nj - 1});
    return {planes * warps.working * (taps + 1), planes * (warps.working * exit + warps.idle() * (idle + 2)),
            0};
  }

 private:
  // Points in the order in which nvcc loads them: of 27 the program names only these.
  struct Tap {
    std::uint32_t pc;
    int i, j, k;
  };
  static constexpr Tap order[taps] = {{38, -1, -1, -1}, {39, 1, -1, -1}, {47, 0, -1, 0}, {51, 0, 0, 0},
                                      {53, 0, 1, 0},    {55, -1, -1, 1}, {57, 1, -1, 1}, {59, -1, 0, 1},
                                      {61, 1, 0, 1},    {63, -1, 1, 1},  {66, 1, 1, 1}};

  // All points of the plane but those of its border.
  Accesses plane(Warp w, std::uint64_t i) const {
    const auto inside = [](std::uint64_t at, std::uint64_t size) { return at > 0 && at + 1 < size; };
    const auto lanes =
        Warp::where(w.active(), [&](int l) { return inside(w.y(l), nj_) && inside(w.x(l), nk_); });
    const auto at = Warp::lanes([&](int l) { return word * ((i * nj_ + w.y(l)) * nk_ + w.x(l)); });
    if (lanes == 0) {
      w.jump(idle, exit);
    } else {
      w.jump(idle + 1, idle + 3);
      for (const Tap& tap : order) {
        const auto away =
            (tap.i * static_cast<std::int64_t>(nj_) + tap.j) * static_cast<std::int64_t>(nk_) + tap.k;
        co_yield w.load(tap.pc, lanes, word, At{at, a_ + word * static_cast<std::uint64_t>(away)});
      }
      co_yield w.store(69, lanes, word, At{at, b_});
    }
    co_yield w.exit(exit);
  }

  std::uint64_t ni_, nj_, nk_, a_, b_;
};

}  // namespace

extern const Workload workload_3dconv;
const Workload workload_3dconv{"3dconv",
                               "3x3x3 convolution, a launch a plane, one thread a point",
                               "PolyBench/GPU",
                               "CUDA/3DCONV/3DConvolution.cu: convolution3D_kernel",
                               {{"DC-L1 thesis", "P-3DCONV", "bound by cache bandwidth"}},
                               {{"ni", 66, 3, 2048, "planes"},
                                {"nj", 64, 3, 2048, "rows of a plane"},
                                {"nk", 64, 3, 2048, "columns of a plane"},
                                polybench_block_x,
                                polybench_block_y},
                               make_program<Convolution3d>,
                               Convolution3d::counts,
                               "recording of eight planes, record by record"};

}  // namespace golden
