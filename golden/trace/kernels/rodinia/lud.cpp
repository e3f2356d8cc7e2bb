// lud of Rodinia.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

constexpr std::uint64_t lud_tile = 16;

class LuDecomposition : public FixedProgram {
 public:
  // The recordings counted these instructions of a warp. Steps of the inner loops are known in total alone,
  // so that they stand in equal parts in front of the barriers. The third kernel is not recorded.
  static constexpr std::uint32_t diagonal_all = 2679, perimeter_all = 2888, diagonal_exit = 335,
                                 perimeter_exit = 551, internal_exit = 88;
  static constexpr std::uint32_t loop = 93, loop_branch = 256;  // of the diagonal, two barriers a step

  explicit LuDecomposition(const Sizes& sizes) : FixedProgram(sizes), n_(sizes["n"]) {
    matrix_ = allocate(n_ * n_ * word);
    constexpr std::uint32_t side = lud_tile;
    for (std::uint64_t offset = 0; offset < n_; offset += lud_tile) {
      const auto rest = static_cast<std::uint32_t>((n_ - offset) / lud_tile - 1);
      add("lud_diagonal", {1, 1, 1}, {side, 1, 1}, 1024,
          [this, offset](const Warp& w) { return diagonal(w, offset); });
      if (rest == 0) break;
      add("lud_perimeter", {rest, 1, 1}, {2 * side, 1, 1}, 3072,
          [this, offset](const Warp& w) { return perimeter(w, offset); });
      add("lud_internal", {rest, rest, 1}, {side, side, 1}, 2048,
          [this, offset](const Warp& w) { return internal(w, offset); });
    }
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t tiles = sizes["n"] / lud_tile, edges = tiles * (tiles - 1) / 2,
                        inner = tiles * (tiles - 1) * (2 * tiles - 1) / 6, warps = 8 * inner;
    return {31 * tiles + 79 * edges + 4 * warps,
            diagonal_all * tiles + perimeter_all * edges + (internal_exit + 1) * warps,
            lines_of(sizes["n"] * sizes["n"] * word)};
  }

 private:
  void add(const char* kernel, std::array<std::uint32_t, 3> grid, std::array<std::uint32_t, 3> block,
           std::uint32_t shared, std::function<Accesses(const Warp&)> warp) {
    KernelInfo info{kernel, grid, block};
    info.shared_bytes = shared;
    launch(std::move(info), std::move(warp));
  }
  std::uint64_t at(std::uint64_t row, std::uint64_t column) const {
    return matrix_ + word * (row * n_ + column);
  }

  // The tile on the diagonal: rows come to shared memory, one column and one row a step, all rows but the
  // first go back.
  Accesses diagonal(Warp w, std::uint64_t offset) const {
    const auto lanes = w.active();
    const auto row = Warp::lanes([&](int l) { return at(offset, offset + w.thread_x(l)); });
    const std::uint64_t pitch = word * n_;
    for (std::uint32_t i = 0; i < lud_tile; ++i)
      co_yield w.load(i == 0 ? 9 : 13 + 5 * i, lanes, word, At{row, i * pitch});
    co_yield w.barrier(90);
    constexpr std::uint32_t steps = lud_tile - 1,
                            left = diagonal_all - diagonal_exit - 1 - (steps - 1) * (loop_branch - loop + 1);
    for (std::uint32_t i = 0; i < steps; ++i) {
      w.run(left * (i + 1) / steps - left * i / steps);
      co_yield w.barrier(184);
      co_yield w.barrier(254);
      if (i + 1 < steps) w.jump(loop_branch, loop);
    }
    for (std::uint32_t i = 1; i < lud_tile; ++i)
      co_yield w.store(258 + 5 * i, lanes, word, At{row, i * pitch});
    co_yield w.exit(diagonal_exit);
  }

  // Half a warp has the tile right of the diagonal, and the upper half of the diagonal's; the other half has
  // the tile below, and the lower half. The compiler runs the second first.
  Accesses perimeter(Warp w, std::uint64_t offset) const {
    constexpr std::uint32_t upper = 0xFFFF, lower = 0xFFFF0000;
    const std::uint64_t away = offset + (w.block_x() + 1) * lud_tile, pitch = word * n_;
    const auto lane = [](int l) { return static_cast<std::uint64_t>(l) % lud_tile; };
    const auto corner = Warp::lanes([&](int l) { return at(offset, offset + lane(l)); });
    const auto right = Warp::lanes([&](int l) { return at(offset, away + lane(l)); });
    const auto below = Warp::lanes([&](int l) { return at(away, offset + lane(l)); });
    w.jump(10, 136);
    for (std::uint32_t i = 8; i < lud_tile; ++i)
      co_yield w.load(i == 8 ? 141 : 118 + 3 * i, lower, word, At{corner, i * pitch});
    for (std::uint32_t i = 0; i < lud_tile; ++i)
      co_yield w.load(173 + 3 * i, lower, word, At{below, i * pitch});
    w.jump(220, 11);
    for (std::uint32_t i = 0; i < 8; ++i)
      co_yield w.load(i == 0 ? 20 : 21 + 4 * i, upper, word, At{corner, i * pitch});
    for (std::uint32_t i = 0; i < lud_tile; ++i)
      co_yield w.load(58 + 5 * i, upper, word, At{right, i * pitch});
    w.jump(135, 221);
    co_yield w.barrier(222);
    w.run(perimeter_all - perimeter_exit - 1);
    co_yield w.barrier(393);
    w.jump(398, 487);
    for (std::uint32_t i = 0; i < lud_tile; ++i)
      co_yield w.store(i == 0 ? 503 : 504 + 3 * i, lower, word, At{below, i * pitch});
    w.jump(550, 399);
    for (std::uint32_t i = 1; i < lud_tile; ++i)
      co_yield w.store(409 + 5 * i, upper, word, At{right, i * pitch});
    w.jump(486, perimeter_exit);
    co_yield w.exit(perimeter_exit);
  }

  // A tile of the rest: minus the product of the tile left of it and the one above.
  Accesses internal(Warp w, std::uint64_t offset) const {
    const std::uint64_t column = offset + (w.block_x() + 1) * lud_tile,
                        row = offset + (w.block_y() + 1) * lud_tile;
    const auto own = Warp::lanes([&](int l) { return at(row + w.thread_y(l), column + w.thread_x(l)); });
    co_yield w.load(22, w.active(), word,
                    [&](int l) { return at(offset + w.thread_y(l), column + w.thread_x(l)); });
    co_yield w.load(28, w.active(), word,
                    [&](int l) { return at(row + w.thread_y(l), offset + w.thread_x(l)); });
    co_yield w.barrier(31);
    co_yield w.load(85, w.active(), word, At{own});
    co_yield w.store(87, w.active(), word, At{own});
    co_yield w.exit(internal_exit);
  }

  std::uint64_t n_, matrix_;
};

}  // namespace

extern const Workload workload_lud;
const Workload workload_lud{
    "lud",
    "LU decomposition in tiles of 16x16: diagonal, edges and inside of what is left",
    "Rodinia",
    "cuda/lud/cuda/lud_kernel.cu: lud_diagonal, lud_perimeter, lud_internal",
    {{"Decoupled L1D", "LUD", "cache-unfriendly; 5,875,200 instructions"},
     {"DC-L1 thesis", "R-LUD", "not replication-sensitive"}},
    {{"n", 512, 16, 8192, "rows and columns", lud_tile}},
    make_program<LuDecomposition>,
    LuDecomposition::counts,
    "recordings of lud_diagonal and lud_perimeter, record by record; lud_internal by its closed form"};

}  // namespace golden
