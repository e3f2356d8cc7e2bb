// CORR of PolyBench/GPU.
#include "golden/trace/kernels/statistics.h"

namespace golden {

namespace {

constexpr ColumnProducts corr_kernel{
    .diagonal = 17,
    .clear = 34,
    .head = 27,
    .loop = {.unrolled = {{{45, 46, 48}, {49, 50, 52}, {53, 54, 56}, {57, 58, 60}}},
             .rest = {77, 78, 80},
             .first = 40,
             .branch = 65,
             .rest_first = 74,
             .rest_branch = 83,
             .done = 67,
             .end = 94},
    .mirror = 96,
    .branch = 99,
    .idle = 8,
    .exit = 149};

class Correlation : public FixedProgram {
 public:
  explicit Correlation(const Sizes& sizes) : FixedProgram(sizes) {
    const std::uint64_t m = sizes["m"], n = sizes["n"], only = sizes["kernel"];
    const std::uint64_t data = allocate(m * n * word), out = allocate(m * m * word),
                        deviation = allocate(m * word), mean = allocate(m * word);
    const std::array<std::uint32_t, 3> row{ceiling(m, statistics_row[0]), 1, 1};
    const auto add = [&](std::uint64_t number, KernelInfo kernel, std::function<Accesses(const Warp&)> warp) {
      if (only == 0 || only == number) launch(std::move(kernel), std::move(warp));
    };
    add(1, {"mean_kernel", row, statistics_row},
        [=](const Warp& w) { return ColumnSum::run(w, n, m, data, {}, mean); });
    add(2, {"std_kernel", row, statistics_row},
        [=](const Warp& w) { return ColumnSum::run(w, n, m, data, mean, deviation); });
    add(3,
        {"reduce_kernel",
         {ceiling(m, statistics_block[0]), ceiling(n, statistics_block[1]), 1},
         statistics_block},
        [=](const Warp& w) {
          return Reduce::run(w, n, m, data, {mean, deviation}, 2);
        });
    add(4, {"corr_kernel", row, statistics_row},
        [=](const Warp& w) { return corr_kernel.run(w, n, m, data, out); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t m = sizes["m"], n = sizes["n"], only = sizes["kernel"];
    const WorkloadCounts parts[] = {ColumnSum::counts(n, m, false), ColumnSum::counts(n, m, true),
                                    Reduce::counts(n, m, 2), corr_kernel.counts(n, m)};
    WorkloadCounts all;
    for (std::uint64_t i = 0; i < 4; ++i) {
      if (only != 0 && only != i + 1) continue;
      all.accesses += parts[i].accesses;
      all.instructions += parts[i].instructions;
    }
    return all;
  }
};

}  // namespace

extern const Workload workload_corr;
const Workload workload_corr{
    "corr",
    "correlation of the columns of a matrix: means, deviations, scaling, sums of products",
    "PolyBench/GPU",
    "CUDA/CORR/correlation.cu: mean_kernel, std_kernel, reduce_kernel, corr_kernel",
    {},
    {{"m", 128, 2, 1 << 14, "columns"},
     {"n", 128, 1, 1 << 14, "rows"},
     {"kernel", 0, 0, 4, "1 to 4: this kernel alone; 0: all"}},
    make_program<Correlation>,
    Correlation::counts,
    "recording of corr_kernel, record by record"};

}  // namespace golden
