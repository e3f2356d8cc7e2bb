// MVT of PolyBench/GPU.
#include "golden/trace/kernels/polybench.h"

namespace golden {

namespace {

constexpr SumKernel mvt_kernel{
    .load = 23,
    .load_for_rest = 54,
    .loop = {.unrolled = {{{30, 31, 33}, {34, 35, 37}, {38, 39, 41}, {42, 43, 45}}},
             .rest = {61, 62, 64},
             .first = 27,
             .branch = 48,
             .rest_first = 59,
             .rest_branch = 67,
             .done = 53,
             .end = 71},
    .idle = 8,
    .exit = 71};

class Mvt : public FixedProgram {
 public:
  explicit Mvt(const Sizes& sizes) : FixedProgram(sizes), n_(sizes["n"]) {
    a_ = allocate(n_ * n_ * word);
    const std::uint64_t x1 = allocate(n_ * word), x2 = allocate(n_ * word), y1 = allocate(n_ * word),
                        y2 = allocate(n_ * word);
    const auto block = polybench_block(sizes);
    const std::array<std::uint32_t, 3> grid{ceiling(n_, block[0]), 1, 1};
    const std::uint64_t only = sizes["kernel"];
    if (only != 2)
      launch({"mvt_kernel1", grid, block}, [=, this](const Warp& w) { return sum(w, x1, y1, n_, 1); });
    if (only != 1)
      launch({"mvt_kernel2", grid, block}, [=, this](const Warp& w) { return sum(w, x2, y2, 1, n_); });
  }

 private:
  // x[i] += sum over j of y[j] and A[i][j], or A[j][i]
  Accesses sum(Warp w, std::uint64_t x, std::uint64_t y, std::uint64_t row, std::uint64_t column) const {
    return mvt_kernel(w, polybench_lanes(w, n_), n_, {Warp::lanes([&](int) { return y; }), word},
                      {Warp::lanes([&](int l) { return a_ + word * row * w.x(l); }), word * column},
                      Warp::lanes([&](int l) { return x + word * w.x(l); }));
  }

  std::uint64_t n_, a_;
};

WorkloadCounts mvt_counts(const Sizes& sizes) {
  const auto block = polybench_block(sizes);
  const std::uint64_t n = sizes["n"], kernels = sizes["kernel"] ? 1 : 2;
  const auto one = mvt_kernel.counts(count_warps({ceiling(n, block[0]), 1, 1}, block, {0, n}), n);
  return {kernels * one.accesses, kernels * one.instructions,
          lines_of(n * n * word) + kernels * 2 * lines_of(n * word)};
}

}  // namespace

extern const Workload workload_mvt;
const Workload workload_mvt{"mvt",
                            "x1 += A y1, then x2 += A^T y2, one thread an element",
                            "PolyBench/GPU",
                            "CUDA/MVT/mvt.cu: mvt_kernel1, mvt_kernel2",
                            {},
                            {{"n", 1024, 1, 1 << 15, "rows and columns"},
                             polybench_row_x,
                             polybench_row_y,
                             {"kernel", 0, 0, 2, "1 or 2: this kernel alone; 0: both"}},
                            make_program<Mvt>,
                            mvt_counts,
                            "recording of mvt_kernel1, record by record"};

}  // namespace golden
