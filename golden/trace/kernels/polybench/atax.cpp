// ATAX of PolyBench/GPU.
#include "golden/trace/kernels/polybench.h"

namespace golden {

namespace {

constexpr SumKernel atax_kernel{
    .store = 17,
    .loop = {.unrolled = {{{33, 34, 36}, {37, 38, 40}, {41, 42, 44}, {45, 46, 48}}},
             .rest = {63, 64, 66},
             .first = 30,
             .branch = 51,
             .rest_first = 60,
             .rest_branch = 69,
             .done = 56,
             .end = 73},
    .idle = 8,
    .exit = 73};

class Atax : public FixedProgram {
 public:
  explicit Atax(const Sizes& sizes) : FixedProgram(sizes), nx_(sizes["nx"]), ny_(sizes["ny"]) {
    a_ = allocate(nx_ * ny_ * word);
    x_ = allocate(ny_ * word);
    y_ = allocate(ny_ * word);
    tmp_ = allocate(nx_ * word);
    const auto block = polybench_block(sizes);
    const std::uint64_t only = sizes["kernel"];
    if (only != 2)
      launch({"atax_kernel1", {ceiling(nx_, block[0]), 1, 1}, block},
             [this](const Warp& w) { return rows(w); });
    if (only != 1)
      launch({"atax_kernel2", {ceiling(ny_, block[0]), 1, 1}, block},
             [this](const Warp& w) { return columns(w); });
  }

 private:
  // tmp[i] = sum over j of A[i][j] * x[j]
  Accesses rows(Warp w) const {
    return atax_kernel(w, polybench_lanes(w, nx_), ny_, {Warp::lanes([&](int) { return x_; }), word},
                       {Warp::lanes([&](int l) { return a_ + word * w.x(l) * ny_; }), word},
                       Warp::lanes([&](int l) { return tmp_ + word * w.x(l); }));
  }
  // y[j] = sum over i of A[i][j] * tmp[i]
  Accesses columns(Warp w) const {
    return atax_kernel(w, polybench_lanes(w, ny_), nx_, {Warp::lanes([&](int) { return tmp_; }), word},
                       {Warp::lanes([&](int l) { return a_ + word * w.x(l); }), word * ny_},
                       Warp::lanes([&](int l) { return y_ + word * w.x(l); }));
  }

  std::uint64_t nx_, ny_, a_, x_, y_, tmp_;
};

WorkloadCounts atax_counts(const Sizes& sizes) {
  const auto block = polybench_block(sizes);
  const std::uint64_t nx = sizes["nx"], ny = sizes["ny"], only = sizes["kernel"];
  WorkloadCounts both;
  for (int kernel = 1; kernel <= 2; ++kernel) {
    if (only == 3u - static_cast<unsigned>(kernel)) continue;
    const std::uint64_t threads = kernel == 1 ? nx : ny, steps = kernel == 1 ? ny : nx;
    const auto one =
        atax_kernel.counts(count_warps({ceiling(threads, block[0]), 1, 1}, block, {0, threads}), steps);
    both.accesses += one.accesses;
    both.instructions += one.instructions;
  }
  both.lines = lines_of(nx * ny * word) + (only == 2 ? 0 : lines_of(ny * word)) + lines_of(nx * word) +
               (only == 1 ? 0 : lines_of(ny * word));
  return both;
}

}  // namespace

extern const Workload workload_atax;
const Workload workload_atax{"atax",
                             "A^T (A x): one thread a row, then one a column",
                             "PolyBench/GPU",
                             "CUDA/ATAX/atax.cu: atax_kernel1, atax_kernel2",
                             {{"ACI thesis", "ATAX", "conflicting and thrashing; blocks of 256, long"}},
                             {{"nx", 1024, 1, 1 << 20, "rows"},
                              {"ny", 4096, 1, 1 << 20, "columns"},
                              polybench_row_x,
                              polybench_row_y,
                              {"kernel", 0, 0, 2, "1 or 2: this kernel alone; 0: both"}},
                             make_program<Atax>,
                             atax_counts,
                             "recording of atax_kernel1, record by record"};

}  // namespace golden
