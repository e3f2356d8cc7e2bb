// SYRK of PolyBench/GPU.
#include "golden/trace/kernels/polybench.h"

namespace golden {

namespace {

constexpr SumKernel syrk_kernel{
    .load = 24,
    .store = 26,
    .loop = {.unrolled = {{{45, 48, 50}, {52, 55, 57}, {58, 60, 62}, {63, 65, 67}}},
             .rest = {82, 84, 86},
             .first = 42,
             .branch = 70,
             .rest_first = 79,
             .rest_branch = 89,
             .done = 75,
             .end = 93},
    .idle = 10,
    .exit = 93};

class Syrk : public FixedProgram {
 public:
  explicit Syrk(const Sizes& sizes) : FixedProgram(sizes), ni_(sizes["ni"]), nj_(sizes["nj"]) {
    a_ = allocate(ni_ * nj_ * word);
    c_ = allocate(ni_ * ni_ * word);
    const auto block = polybench_block(sizes);
    launch({"syrk_kernel", {ceiling(ni_, block[0]), ceiling(ni_, block[1]), 1}, block},
           [this](const Warp& w) {
             return syrk_kernel(w, polybench_lanes(w, ni_, ni_), nj_,
                                {Warp::lanes([&](int l) { return a_ + word * w.y(l) * nj_; }), word},
                                {Warp::lanes([&](int l) { return a_ + word * w.x(l) * nj_; }), word},
                                Warp::lanes([&](int l) { return c_ + word * (w.y(l) * ni_ + w.x(l)); }));
           });
  }

 private:
  std::uint64_t ni_, nj_, a_, c_;
};

WorkloadCounts syrk_counts(const Sizes& sizes) {
  const auto block = polybench_block(sizes);
  const std::uint64_t ni = sizes["ni"], nj = sizes["nj"];
  auto counts = syrk_kernel.counts(
      count_warps({ceiling(ni, block[0]), ceiling(ni, block[1]), 1}, block, {0, ni}, {0, ni}), nj);
  counts.lines = lines_of(ni * nj * word) + lines_of(ni * ni * word);
  return counts;
}

}  // namespace

extern const Workload workload_syrk;
const Workload workload_syrk{"syrk",
                             "C = alpha A A^T + beta C, one thread an element",
                             "PolyBench/GPU",
                             "CUDA/SYRK/syrk.cu: syrk_kernel",
                             {{"DC-L1 thesis", "P-SYRK", "replication-sensitive"},
                              {"ACI thesis", "SYRK", "conflicting and thrashing; long"}},
                             {{"ni", 256, 1, 1 << 16, "rows of A"},
                              {"nj", 256, 1, 1 << 16, "columns of A"},
                              polybench_block_x,
                              polybench_block_y},
                             make_program<Syrk>,
                             syrk_counts,
                             "recording, record by record"};

}  // namespace golden
