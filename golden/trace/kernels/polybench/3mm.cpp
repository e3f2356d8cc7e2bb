// 3MM of PolyBench/GPU.
#include "golden/trace/kernels/polybench.h"

namespace golden {

namespace {

constexpr SumKernel mm3_kernel{
    .store = 26,
    .loop = {.unrolled = {{{46, 47, 49}, {50, 51, 53}, {54, 55, 57}, {58, 59, 61}}},
             .rest = {78, 79, 81},
             .first = 41,
             .branch = 64,
             .rest_first = 74,
             .rest_branch = 84,
             .done = 70,
             .end = 88},
    .idle = 10,
    .exit = 88};

// Of a product: rows of the left, columns of the right, columns of the left.
struct ProductShape {
  std::uint64_t rows, columns, steps;
};

std::array<ProductShape, 3> mm3_products(const Sizes& sizes) {
  const std::uint64_t ni = sizes["ni"], nj = sizes["nj"], nk = sizes["nk"], nl = sizes["nl"],
                      nm = sizes["nm"];
  return {{{ni, nj, nk}, {nj, nl, nm}, {ni, nl, nj}}};
}

class ThreeProducts : public FixedProgram {
 public:
  explicit ThreeProducts(const Sizes& sizes) : FixedProgram(sizes) {
    const auto shapes = mm3_products(sizes);
    const auto matrix = [&](std::uint64_t rows, std::uint64_t columns) {
      return allocate(rows * columns * word);
    };
    const std::uint64_t a = matrix(shapes[0].rows, shapes[0].steps),
                        b = matrix(shapes[0].steps, shapes[0].columns),
                        c = matrix(shapes[1].rows, shapes[1].steps),
                        d = matrix(shapes[1].steps, shapes[1].columns),
                        e = matrix(shapes[0].rows, shapes[0].columns),
                        f = matrix(shapes[1].rows, shapes[1].columns),
                        g = matrix(shapes[2].rows, shapes[2].columns);
    const std::array<std::uint64_t, 3> lefts{a, c, e}, rights{b, d, f}, outs{e, f, g};
    static constexpr const char* names[] = {"mm3_kernel1", "mm3_kernel2", "mm3_kernel3"};
    const auto block = polybench_block(sizes);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto [rows, columns, steps] = shapes[i];
      launch({names[i], {ceiling(columns, block[0]), ceiling(rows, block[1]), 1}, block},
             [rows = rows, columns = columns, steps = steps, left = lefts[i], right = rights[i],
              out = outs[i]](const Warp& w) {
               return mm3_kernel(
                   w, polybench_lanes(w, columns, rows), steps,
                   {Warp::lanes([&](int l) { return right + word * w.x(l); }), word * columns},
                   {Warp::lanes([&](int l) { return left + word * w.y(l) * steps; }), word},
                   Warp::lanes([&](int l) { return out + word * (w.y(l) * columns + w.x(l)); }));
             });
    }
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const auto block = polybench_block(sizes);
    WorkloadCounts all;
    for (const auto& [rows, columns, steps] : mm3_products(sizes)) {
      const auto one = mm3_kernel.counts(count_warps({ceiling(columns, block[0]), ceiling(rows, block[1]), 1},
                                                     block, {0, columns}, {0, rows}),
                                         steps);
      all.accesses += one.accesses;
      all.instructions += one.instructions;
      all.lines += lines_of(rows * columns * word);
    }
    const std::uint64_t nk = sizes["nk"], nm = sizes["nm"];  // of the inputs
    all.lines += lines_of(sizes["ni"] * nk * word) + lines_of(nk * sizes["nj"] * word) +
                 lines_of(sizes["nj"] * nm * word) + lines_of(nm * sizes["nl"] * word);
    return all;
  }
};

}  // namespace

extern const Workload workload_3mm;
const Workload workload_3mm{"3mm",
                            "G = (A B) (C D) in three products, one thread an element",
                            "PolyBench/GPU",
                            "CUDA/3MM/3mm.cu: mm3_kernel1, mm3_kernel2, mm3_kernel3",
                            {{"DC-L1 thesis", "P-3MM"}},
                            {{"ni", 128, 1, 1 << 14, "rows of A"},
                             {"nj", 128, 1, 1 << 14, "columns of B, rows of C"},
                             {"nk", 128, 1, 1 << 14, "columns of A"},
                             {"nl", 128, 1, 1 << 14, "columns of D"},
                             {"nm", 128, 1, 1 << 14, "columns of C"},
                             polybench_block_x,
                             polybench_block_y},
                            make_program<ThreeProducts>,
                            ThreeProducts::counts,
                            "its closed form; loops and program counters are those of 2mm"};

}  // namespace golden
