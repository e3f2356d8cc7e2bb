// stencil of Parboil.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class Stencil : public FixedProgram {
 public:
  static constexpr std::uint32_t exit = 55;

  explicit Stencil(const Sizes& sizes)
      : FixedProgram(sizes), nx_(sizes["nx"]), ny_(sizes["ny"]), nz_(sizes["nz"]) {
    const std::uint64_t bytes = nx_ * ny_ * nz_ * word;
    const std::uint64_t even = allocate(bytes), odd = allocate(bytes);
    const KernelInfo kernel{"naive_kernel",
                            {static_cast<std::uint32_t>(ny_ - 2), static_cast<std::uint32_t>(nz_ - 2), 1},
                            {static_cast<std::uint32_t>(nx_ - 1), 1, 1}};
    for (std::uint64_t i = 0; i < sizes["iterations"]; ++i)
      launch(kernel, [this, from = i % 2 ? odd : even, to = i % 2 ? even : odd](const Warp& w) {
        return line(w, from, to);
      });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t nx = sizes["nx"], lines = (sizes["ny"] - 2) * (sizes["nz"] - 2),
                        times = sizes["iterations"];
    const std::uint64_t warps = (nx - 1 + 31) / 32;
    return {times * lines * warps * 8, times * lines * warps * exit, 0};
  }

 private:
  // The last of its threads reads beyond the line, as the program does; the first does nothing.
  Accesses line(Warp w, std::uint64_t from, std::uint64_t to) const {
    static constexpr std::uint32_t pcs[] = {24, 25, 33, 38, 44, 46, 49};
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.thread_x(l) > 0; });
    const auto at = Warp::lanes(
        [&](int l) { return word * (w.thread_x(l) + nx_ * (w.block_x() + 1 + ny_ * (w.block_y() + 1))); });
    const std::uint64_t row = word * nx_, plane = row * ny_;
    const std::uint64_t neighbours[] = {0 - plane, plane, row, 0 - row, word, 0 - word, 0};
    w.jump(0, 2);
    for (std::size_t i = 0; i < std::size(pcs); ++i)
      co_yield w.load(pcs[i], lanes, word, At{at, from + neighbours[i]});
    co_yield w.store(53, lanes, word, At{at, to});
    co_yield w.exit(exit);
  }

  std::uint64_t nx_, ny_, nz_;
};

}  // namespace

extern const Workload workload_stencil;
const Workload workload_stencil{"stencil",
                                "7-point stencil on a cuboid, one CTA a line",
                                "Parboil",
                                "benchmarks/stencil/src/cuda_base/kernels.cu: naive_kernel",
                                {{"ACI thesis", "ST", "bandwidth-sensitive, chapter V"}},
                                {{"nx", 128, 3, 1024, "points of a line"},
                                 {"ny", 128, 3, 1024, "lines of a plane"},
                                 {"nz", 32, 3, 1024, "planes"},
                                 {"iterations", 1, 1, 1000, "launches, to and fro between two arrays"}},
                                make_program<Stencil>,
                                Stencil::counts,
                                "recording, record by record"};

}  // namespace golden
