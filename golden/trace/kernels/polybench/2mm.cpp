// 2MM of PolyBench/GPU.
#include "golden/trace/kernels/polybench.h"

namespace golden {

namespace {

// tmp = A B, and D = tmp C + beta D: alike but for what stands in front of the loop.
constexpr UnrolledLoop mm2_loop{.unrolled = {{{46, 47, 49}, {50, 51, 53}, {54, 55, 57}, {58, 59, 61}}},
                                .rest = {78, 79, 81},
                                .first = 41,
                                .branch = 64,
                                .rest_first = 74,
                                .rest_branch = 84,
                                .done = 70,
                                .end = 88};
constexpr SumKernel mm2_first{.store = 26, .loop = mm2_loop, .idle = 10, .exit = 88},
    mm2_second{.load = 26, .store = 28, .loop = mm2_loop, .idle = 10, .exit = 88};

class TwoProducts : public FixedProgram {
 public:
  explicit TwoProducts(const Sizes& sizes) : FixedProgram(sizes) {
    const std::uint64_t ni = sizes["ni"], nj = sizes["nj"], nk = sizes["nk"], nl = sizes["nl"];
    const std::uint64_t tmp = allocate(ni * nj * word), a = allocate(ni * nk * word),
                        b = allocate(nk * nj * word), c = allocate(nj * nl * word),
                        d = allocate(ni * nl * word);
    const auto block = polybench_block(sizes);
    const std::uint64_t only = sizes["kernel"];
    const auto add = [&](const char* name, const SumKernel& kernel, std::uint64_t left, std::uint64_t right,
                         std::uint64_t out, std::uint64_t columns, std::uint64_t steps) {
      launch({name, {ceiling(columns, block[0]), ceiling(ni, block[1]), 1}, block}, [=](const Warp& w) {
        return kernel(w, polybench_lanes(w, columns, ni), steps,
                      {Warp::lanes([&](int l) { return right + word * w.x(l); }), word * columns},
                      {Warp::lanes([&](int l) { return left + word * w.y(l) * steps; }), word},
                      Warp::lanes([&](int l) { return out + word * (w.y(l) * columns + w.x(l)); }));
      });
    };
    if (only != 2) add("mm2_kernel1", mm2_first, a, b, tmp, nj, nk);
    if (only != 1) add("mm2_kernel2", mm2_second, tmp, c, d, nl, nj);
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t ni = sizes["ni"], nj = sizes["nj"], nk = sizes["nk"], nl = sizes["nl"],
                        only = sizes["kernel"];
    const auto block = polybench_block(sizes);
    WorkloadCounts both;
    const auto add = [&](const SumKernel& kernel, std::uint64_t columns, std::uint64_t steps) {
      const auto one = kernel.counts(
          count_warps({ceiling(columns, block[0]), ceiling(ni, block[1]), 1}, block, {0, columns}, {0, ni}),
          steps);
      both.accesses += one.accesses;
      both.instructions += one.instructions;
      both.lines +=
          lines_of(ni * steps * word) + lines_of(steps * columns * word) + lines_of(ni * columns * word);
    };
    if (only != 2) add(mm2_first, nj, nk);
    if (only != 1) add(mm2_second, nl, nj);
    if (only == 0) both.lines -= lines_of(ni * nj * word);  // tmp is in both
    return both;
  }
};

}  // namespace

extern const Workload workload_2mm;
const Workload workload_2mm{
    "2mm",
    "D = alpha A B C + beta D in two products, one thread an element",
    "PolyBench/GPU",
    "CUDA/2MM/2mm.cu: mm2_kernel1, mm2_kernel2",
    {{"DC-L1 thesis", "P-2MM", "suffers of partition camping"}, {"ACI thesis", "2MM", "conflicting; medium"}},
    {{"ni", 128, 1, 1 << 14, "rows of A"},
     {"nj", 256, 1, 1 << 14, "columns of A B"},
     {"nk", 128, 1, 1 << 14, "columns of A"},
     {"nl", 256, 1, 1 << 14, "columns of D"},
     polybench_block_x,
     polybench_block_y,
     {"kernel", 0, 0, 2, "1 or 2: this kernel alone; 0: both"}},
    make_program<TwoProducts>,
    TwoProducts::counts,
    "recording of mm2_kernel2, record by record"};

}  // namespace golden
