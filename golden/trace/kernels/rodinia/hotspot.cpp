// hotspot of Rodinia.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class Hotspot : public FixedProgram {
 public:
  static constexpr std::uint64_t side = 16;
  // The loop over steps in time begins at `head`; what only warps with work execute is jumped over.
  static constexpr std::uint32_t head = 107, last = 159, exit = 171;

  explicit Hotspot(const Sizes& sizes) : FixedProgram(sizes), n_(sizes["n"]), pyramid_(sizes["pyramid"]) {
    const std::uint64_t even = allocate(n_ * n_ * word), odd = allocate(n_ * n_ * word),
                        steps = sizes["steps"];
    power_ = allocate(n_ * n_ * word);
    const std::uint32_t blocks = ceiling(n_, side - 2 * pyramid_);
    KernelInfo kernel{"calculate_temp", {blocks, blocks, 1}, {side, side, 1}};
    kernel.shared_bytes = 3 * side * side * word;
    for (std::uint64_t t = 0, number = 0; t < steps; t += pyramid_, ++number)
      launch(kernel, [this, now = std::min(pyramid_, steps - t), from = number % 2 ? odd : even,
                      to = number % 2 ? even : odd](const Warp& w) { return run(w, now, from, to); });
  }

 private:
  // Of a tile's rows or columns.
  struct Span {
    std::int64_t first, size;

    std::int64_t at(std::uint32_t thread) const { return first + static_cast<std::int64_t>(thread); }
    bool holds(std::uint32_t thread) const { return at(thread) >= 0 && at(thread) < size; }
    // A point that has all its neighbours in the tile after so many steps.
    bool computes(std::uint32_t thread, std::uint64_t step) const {
      return holds(thread) && thread > step && thread + step + 2 <= side;
    }
  };

  // `steps` in time on a tile whose points at the border become wrong, one row and column with each.
  Accesses run(Warp w, std::uint64_t steps, std::uint64_t from, std::uint64_t to) const {
    const auto span = [&](std::uint32_t block) {
      return Span{static_cast<std::int64_t>((side - 2 * steps) * block) - static_cast<std::int64_t>(pyramid_),
                  static_cast<std::int64_t>(n_)};
    };
    const Span x = span(w.block_x()), y = span(w.block_y());
    const auto inside =
        Warp::where(w.active(), [&](int l) { return x.holds(w.thread_x(l)) && y.holds(w.thread_y(l)); });
    const auto point = Warp::lanes([&](int l) {
      const std::int64_t at = y.at(w.thread_y(l)) * static_cast<std::int64_t>(n_) + x.at(w.thread_x(l));
      return word * static_cast<std::uint64_t>(at);
    });
    if (inside == 0) w.jump(42, 52);
    co_yield w.load(47, inside, word, At{point, from});
    co_yield w.load(51, inside, word, At{point, power_});
    co_yield w.barrier(53);
    std::uint32_t computed = 0;
    for (std::uint64_t i = 0; i < steps; ++i) {
      computed = Warp::where(
          inside, [&](int l) { return x.computes(w.thread_x(l), i) && y.computes(w.thread_y(l), i); });
      if (computed == 0) w.jump(head + 1, 150);
      co_yield w.barrier(150);
      if (i + 1 == steps) break;
      if (computed == 0) w.jump(152, 156);
      co_yield w.barrier(157);
      w.jump(last, head);
    }
    w.jump(152, 160);
    if (computed == 0) w.jump(160, 170);
    co_yield w.store(169, computed, word, At{point, to});
    co_yield w.exit(exit);
  }

  std::uint64_t n_, pyramid_, power_;
};

}  // namespace

extern const Workload workload_hotspot;
const Workload workload_hotspot{
    "hotspot",
    "heat of a chip, tiles of 16x16 through shared memory, several steps a launch",
    "Rodinia",
    "cuda/hotspot/hotspot.cu: calculate_temp",
    {{"Decoupled L1D", "HS"}, {"ACI thesis", "HS", "streaming; short"}},
    {{"n", 512, 16, 1 << 13, "rows and columns"},
     {"pyramid", 2, 1, 7, "steps a launch"},
     {"steps", 2, 1, 10000, "in time"}},
    make_program<Hotspot>,
    nullptr,
    "recording, record by record"};

}  // namespace golden
