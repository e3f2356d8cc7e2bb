// BICG of PolyBench/GPU.
#include "golden/trace/kernels/polybench.h"

namespace golden {

namespace {

constexpr SumKernel bicg_kernel{
    .store = 18,
    .loop = {.unrolled = {{{32, 33, 35}, {36, 37, 39}, {40, 41, 43}, {44, 45, 47}}},
             .rest = {62, 63, 65},
             .first = 29,
             .branch = 50,
             .rest_first = 59,
             .rest_branch = 68,
             .done = 55,
             .end = 72},
    .idle = 8,
    .exit = 72};

class Bicg : public FixedProgram {
 public:
  explicit Bicg(const Sizes& sizes) : FixedProgram(sizes), nx_(sizes["nx"]), ny_(sizes["ny"]) {
    a_ = allocate(nx_ * ny_ * word);
    r_ = allocate(nx_ * word);
    s_ = allocate(ny_ * word);
    p_ = allocate(ny_ * word);
    q_ = allocate(nx_ * word);
    const auto block = polybench_block(sizes);
    const std::uint64_t only = sizes["kernel"];
    if (only != 2)
      launch({"bicg_kernel1", {ceiling(ny_, block[0]), 1, 1}, block},
             [this](const Warp& w) { return columns(w); });
    if (only != 1)
      launch({"bicg_kernel2", {ceiling(nx_, block[0]), 1, 1}, block},
             [this](const Warp& w) { return rows(w); });
  }

 private:
  // s[j] = sum over i of A[i][j] * r[i]
  Accesses columns(Warp w) const {
    return bicg_kernel(
        w, polybench_lanes(w, ny_), nx_, {Warp::lanes([&](int l) { return a_ + word * w.x(l); }), word * ny_},
        {Warp::lanes([&](int) { return r_; }), word}, Warp::lanes([&](int l) { return s_ + word * w.x(l); }));
  }
  // q[i] = sum over j of A[i][j] * p[j]
  Accesses rows(Warp w) const {
    return bicg_kernel(
        w, polybench_lanes(w, nx_), ny_, {Warp::lanes([&](int l) { return a_ + word * w.x(l) * ny_; }), word},
        {Warp::lanes([&](int) { return p_; }), word}, Warp::lanes([&](int l) { return q_ + word * w.x(l); }));
  }

  std::uint64_t nx_, ny_, a_, r_, s_, p_, q_;
};

WorkloadCounts bicg_counts(const Sizes& sizes) {
  const auto block = polybench_block(sizes);
  const std::uint64_t nx = sizes["nx"], ny = sizes["ny"], only = sizes["kernel"];
  WorkloadCounts both;
  for (int kernel = 1; kernel <= 2; ++kernel) {
    if (only == 3u - static_cast<unsigned>(kernel)) continue;
    const std::uint64_t threads = kernel == 1 ? ny : nx, steps = kernel == 1 ? nx : ny;
    const auto one =
        bicg_kernel.counts(count_warps({ceiling(threads, block[0]), 1, 1}, block, {0, threads}), steps);
    both.accesses += one.accesses;
    both.instructions += one.instructions;
    both.lines += lines_of(nx * word) + lines_of(ny * word);
  }
  both.lines += lines_of(nx * ny * word);
  return both;
}

}  // namespace

extern const Workload workload_bicg;
const Workload workload_bicg{"bicg",
                             "A^T r and A p: one thread a column, then one a row",
                             "PolyBench/GPU",
                             "CUDA/BICG/bicg.cu: bicg_kernel1, bicg_kernel2",
                             {},
                             {{"nx", 1024, 1, 1 << 20, "rows"},
                              {"ny", 1024, 1, 1 << 20, "columns"},
                              polybench_row_x,
                              polybench_row_y,
                              {"kernel", 0, 0, 2, "1 or 2: this kernel alone; 0: both"}},
                             make_program<Bicg>,
                             bicg_counts,
                             "recording of bicg_kernel1, record by record"};

}  // namespace golden
