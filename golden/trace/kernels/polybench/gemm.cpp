// GEMM of PolyBench/GPU.
#include "golden/trace/kernels/polybench.h"

namespace golden {

namespace {

constexpr SumKernel gemm_kernel{
    .load = 27,
    .store = 29,
    .loop = {.unrolled = {{{46, 49, 51}, {52, 54, 56}, {57, 59, 61}, {62, 64, 66}}},
             .rest = {83, 85, 87},
             .first = 42,
             .branch = 69,
             .rest_first = 79,
             .rest_branch = 90,
             .done = 75,
             .end = 94},
    .idle = 10,
    .exit = 94};

class Gemm : public FixedProgram {
 public:
  explicit Gemm(const Sizes& sizes)
      : FixedProgram(sizes), ni_(sizes["ni"]), nj_(sizes["nj"]), nk_(sizes["nk"]) {
    a_ = allocate(ni_ * nk_ * word);
    b_ = allocate(nk_ * nj_ * word);
    c_ = allocate(ni_ * nj_ * word);
    const auto block = polybench_block(sizes);
    launch({"gemm_kernel", {ceiling(nj_, block[0]), ceiling(ni_, block[1]), 1}, block},
           [this](const Warp& w) {
             return gemm_kernel(w, polybench_lanes(w, nj_, ni_), nk_,
                                {Warp::lanes([&](int l) { return a_ + word * w.y(l) * nk_; }), word},
                                {Warp::lanes([&](int l) { return b_ + word * w.x(l); }), word * nj_},
                                Warp::lanes([&](int l) { return c_ + word * (w.y(l) * nj_ + w.x(l)); }));
           });
  }

 private:
  std::uint64_t ni_, nj_, nk_, a_, b_, c_;
};

WorkloadCounts gemm_counts(const Sizes& sizes) {
  const auto block = polybench_block(sizes);
  const std::uint64_t ni = sizes["ni"], nj = sizes["nj"], nk = sizes["nk"];
  auto counts = gemm_kernel.counts(
      count_warps({ceiling(nj, block[0]), ceiling(ni, block[1]), 1}, block, {0, nj}, {0, ni}), nk);
  counts.lines = lines_of(ni * nk * word) + lines_of(nk * nj * word) + lines_of(ni * nj * word);
  return counts;
}

}  // namespace

extern const Workload workload_gemm;
const Workload workload_gemm{"gemm",
                             "C = alpha A B + beta C, one thread an element",
                             "PolyBench/GPU",
                             "CUDA/GEMM/gemm.cu: gemm_kernel",
                             {{"DC-L1 thesis", "P-GEMM"}, {"ACI thesis", "GE", "bandwidth-sensitive"}},
                             {{"ni", 256, 1, 1 << 16, "rows of C"},
                              {"nj", 256, 1, 1 << 16, "columns of C"},
                              {"nk", 256, 1, 1 << 16, "columns of A"},
                              polybench_block_x,
                              polybench_block_y},
                             make_program<Gemm>,
                             gemm_counts,
                             "recording, record by record"};

}  // namespace golden
