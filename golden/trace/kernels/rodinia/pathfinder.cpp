// pathfinder of Rodinia.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class Pathfinder : public FixedProgram {
 public:
  static constexpr std::uint64_t threads = 256;
  // The loop over rows; its last pass leaves it at `out`, behind the first barrier.
  static constexpr std::uint32_t first = 57, branch = 89, out = 81, tail = 93, exit = 101;

  explicit Pathfinder(const Sizes& sizes)
      : FixedProgram(sizes), columns_(sizes["columns"]), rows_(sizes["rows"]), pyramid_(sizes["pyramid"]) {
    const std::uint64_t even = allocate(columns_ * word), odd = allocate(columns_ * word);
    wall_ = allocate(columns_ * (rows_ - 1) * word);
    KernelInfo kernel{"dynproc_kernel", {ceiling(columns_, threads - 2 * pyramid_), 1, 1}, {threads, 1, 1}};
    kernel.shared_bytes = 2 * threads * word;
    for (std::uint64_t t = 0, number = 0; t + 1 < rows_; t += pyramid_, ++number)
      launch(kernel, [this, t, from = number % 2 ? odd : even, to = number % 2 ? even : odd](const Warp& w) {
        return run(w, t, from, to);
      });
  }

 private:
  // Each CTA works through `pyramid` rows of the wall; with each, one column at both its ends becomes wrong.
  Accesses run(Warp w, std::uint64_t t, std::uint64_t from, std::uint64_t to) const {
    const std::uint64_t steps = std::min(pyramid_, rows_ - t - 1);
    // As the program does: the last launch may work through fewer rows, and its CTAs then lie further apart.
    const auto start =
        static_cast<std::int64_t>((threads - 2 * steps) * w.block_x()) - static_cast<std::int64_t>(pyramid_);
    const auto x = [&](int l) { return start + static_cast<std::int64_t>(w.thread_x(l)); };
    const auto inside = Warp::where(
        w.active(), [&](int l) { return x(l) >= 0 && x(l) < static_cast<std::int64_t>(columns_); });
    const auto column = Warp::lanes([&](int l) { return word * static_cast<std::uint64_t>(x(l)); });
    co_yield w.load(25, inside, word, At{column, from});
    co_yield w.barrier(27);
    std::uint32_t computed = 0;
    for (std::uint64_t i = 0; i < steps; ++i) {
      computed =
          Warp::where(inside, [&](int l) { return w.thread_x(l) > i && w.thread_x(l) + i + 2 <= threads; });
      co_yield w.load(75, computed, word, At{column, wall_ + word * columns_ * (t + i)});
      co_yield w.barrier(79);
      if (i + 1 == steps) break;
      co_yield w.barrier(86);
      w.jump(branch, first);
    }
    w.jump(out, tail);
    co_yield w.store(99, computed, word, At{column, to});
    co_yield w.exit(exit);
  }

  std::uint64_t columns_, rows_, pyramid_, wall_;
};

}  // namespace

extern const Workload workload_pathfinder;
const Workload workload_pathfinder{"pathfinder",
                                   "the cheapest path through a grid, several rows a launch",
                                   "Rodinia",
                                   "cuda/pathfinder/pathfinder.cu: dynproc_kernel",
                                   {{"Decoupled L1D", "PF"}},
                                   {{"columns", 100000, 1, 1 << 24, "of the grid"},
                                    {"rows", 41, 2, 10000, "of the grid"},
                                    {"pyramid", 20, 1, 120, "rows a launch"}},
                                   make_program<Pathfinder>,
                                   nullptr,
                                   "recording of two launches, record by record"};

}  // namespace golden
