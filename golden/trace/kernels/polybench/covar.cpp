// COVAR of PolyBench/GPU.
#include "golden/trace/kernels/statistics.h"

namespace golden {

namespace {

constexpr ColumnProducts covar_kernel{
    .clear = 26,
    .head = 19,
    .loop = {.unrolled = {{{37, 38, 40}, {41, 42, 44}, {45, 46, 48}, {49, 50, 52}}},
             .rest = {69, 70, 72},
             .first = 32,
             .branch = 57,
             .rest_first = 66,
             .rest_branch = 75,
             .done = 59,
             .end = 86},
    .mirror = 88,
    .branch = 91,
    .idle = 8,
    .exit = 142};

class Covariance : public FixedProgram {
 public:
  explicit Covariance(const Sizes& sizes) : FixedProgram(sizes) {
    const std::uint64_t m = sizes["m"], n = sizes["n"], only = sizes["kernel"];
    const std::uint64_t data = allocate(m * n * word), out = allocate(m * m * word),
                        mean = allocate(m * word);
    const std::array<std::uint32_t, 3> row{ceiling(m, statistics_row[0]), 1, 1};
    if (only == 0 || only == 1)
      launch({"mean_kernel", row, statistics_row},
             [=](const Warp& w) { return ColumnSum::run(w, n, m, data, {}, mean); });
    if (only == 0 || only == 2)
      launch({"reduce_kernel",
              {ceiling(m, statistics_block[0]), ceiling(n, statistics_block[1]), 1},
              statistics_block},
             [=](const Warp& w) {
               return Reduce::run(w, n, m, data, {mean, 0}, 1);
             });
    if (only == 0 || only == 3)
      launch({"covar_kernel", row, statistics_row},
             [=](const Warp& w) { return covar_kernel.run(w, n, m, data, out); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t m = sizes["m"], n = sizes["n"], only = sizes["kernel"];
    const WorkloadCounts parts[] = {ColumnSum::counts(n, m, false), Reduce::counts(n, m, 1),
                                    covar_kernel.counts(n, m)};
    WorkloadCounts all;
    for (std::uint64_t i = 0; i < 3; ++i) {
      if (only != 0 && only != i + 1) continue;
      all.accesses += parts[i].accesses;
      all.instructions += parts[i].instructions;
    }
    all.lines = lines_of(m * n * word) + (only == 3 ? 0 : lines_of(m * word)) +
                (only == 0 || only == 3 ? lines_of(m * m * word) : 0);
    return all;
  }
};

}  // namespace

extern const Workload workload_covar;
const Workload workload_covar{"covar",
                              "covariance of the columns of a matrix: means, differences, sums of products",
                              "PolyBench/GPU",
                              "CUDA/COVAR/covariance.cu: mean_kernel, reduce_kernel, covar_kernel",
                              {{"DC-L1 thesis", "P-COVAR", "not shared-friendly"}},
                              {{"m", 128, 2, 1 << 14, "columns"},
                               {"n", 128, 1, 1 << 14, "rows"},
                               {"kernel", 0, 0, 3, "1 to 3: this kernel alone; 0: all"}},
                              make_program<Covariance>,
                              Covariance::counts,
                              "recording of covar_kernel, record by record"};

}  // namespace golden
