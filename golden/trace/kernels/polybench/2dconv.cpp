// 2DCONV of PolyBench/GPU.
#include "golden/trace/kernels/polybench.h"

namespace golden {

namespace {

class Convolution2d : public FixedProgram {
 public:
  static constexpr std::uint64_t taps = 9;
  static constexpr std::uint32_t idle = 21, exit = 52;

  explicit Convolution2d(const Sizes& sizes) : FixedProgram(sizes), ni_(sizes["ni"]), nj_(sizes["nj"]) {
    a_ = allocate(ni_ * nj_ * word);
    b_ = allocate(ni_ * nj_ * word);
    const auto block = polybench_block(sizes);
    launch({"convolution2D_kernel", {ceiling(nj_, block[0]), ceiling(ni_, block[1]), 1}, block},
           [this](const Warp& w) { return pixel(w); });
  }

 private:
  // All pixels but those of the border.
  Accesses pixel(Warp w) const {
    static constexpr std::uint32_t pcs[taps] = {29, 30, 33, 35, 39, 41, 43, 45, 47};
    const auto inside = [](std::uint64_t at, std::uint64_t size) { return at > 0 && at + 1 < size; };
    const auto lanes =
        Warp::where(w.active(), [&](int l) { return inside(w.y(l), ni_) && inside(w.x(l), nj_); });
    const auto at = Warp::lanes([&](int l) { return word * (w.y(l) * nj_ + w.x(l)); });
    if (lanes == 0) {
      w.jump(idle, exit);
    } else {
      w.jump(idle + 1, idle + 3);
      for (std::uint64_t tap = 0; tap < taps; ++tap) {
        const std::uint64_t first = a_ + word * ((tap / 3) * nj_ + tap % 3) - word * (nj_ + 1);
        co_yield w.load(pcs[tap], lanes, word, At{at, first});
      }
      co_yield w.store(50, lanes, word, At{at, b_});
    }
    co_yield w.exit(exit);
  }

  std::uint64_t ni_, nj_, a_, b_;
};

WorkloadCounts convolution_2d_counts(const Sizes& sizes) {
  const auto block = polybench_block(sizes);
  const std::uint64_t ni = sizes["ni"], nj = sizes["nj"];
  const WarpCount warps = count_warps({ceiling(nj, block[0]), ceiling(ni, block[1]), 1}, block,
                                      {1, nj < 2 ? 0 : nj - 1}, {1, ni < 2 ? 0 : ni - 1});
  return {warps.working * (Convolution2d::taps + 1),
          warps.working * Convolution2d::exit + warps.idle() * (Convolution2d::idle + 2), 0};
}

}  // namespace

extern const Workload workload_2dconv;
const Workload workload_2dconv{"2dconv",
                               "3x3 convolution, one thread a pixel",
                               "PolyBench/GPU",
                               "CUDA/2DCONV/2DConvolution.cu: convolution2D_kernel",
                               {{"BUCL", "2DC", "coherent; 922,103,954 instructions"},
                                {"DC-L1 thesis", "P-2DCONV", "poor-performing"},
                                {"ACI thesis", "2DC", "conflicting; medium"}},
                               {{"ni", 1024, 1, 1 << 16, "rows"},
                                {"nj", 1024, 1, 1 << 16, "columns"},
                                polybench_block_x,
                                polybench_block_y},
                               make_program<Convolution2d>,
                               convolution_2d_counts,
                               "recording, record by record"};

}  // namespace golden
