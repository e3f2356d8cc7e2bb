// srad_v2 of Rodinia.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class SradV2 : public FixedProgram {
 public:
  static constexpr std::uint64_t side = 16;
  // In the second kernel an instruction is jumped over, and what only the last row, the last column and the
  // last rows of a tile need.
  static constexpr std::uint32_t first_exit = 150, second_exit = 129, last_row = 6, last_column = 7,
                                 last_threads = 5;

  explicit SradV2(const Sizes& sizes)
      : FixedProgram(sizes), rows_(sizes["rows"]), columns_(sizes["columns"]) {
    for (std::uint64_t* image : {&j_, &c_, &east_, &west_, &south_, &north_})
      *image = allocate(rows_ * columns_ * word);
    const std::uint64_t only = sizes["kernel"];
    const auto add = [&](const char* name, std::uint64_t shared, Accesses (SradV2::*warp)(Warp) const) {
      KernelInfo kernel{
          name,
          {static_cast<std::uint32_t>(columns_ / side), static_cast<std::uint32_t>(rows_ / side), 1},
          {side, side, 1}};
      kernel.shared_bytes = shared;
      launch(std::move(kernel), [this, warp](const Warp& w) { return (this->*warp)(w); });
    };
    for (std::uint64_t i = 0; i < sizes["iterations"]; ++i) {
      if (only != 2) add("srad_cuda_1", 6144, &SradV2::first);
      if (only != 1) add("srad_cuda_2", 5120, &SradV2::second);
    }
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t x = sizes["columns"] / side, y = sizes["rows"] / side, only = sizes["kernel"];
    WorkloadCounts all;
    if (only != 2) {
      all.accesses += 8 * (x * y * 10 + (y > 1 ? 2 : 1) * x + (x > 1 ? 2 : 1) * y);
      all.instructions += 8 * x * y * (first_exit + 1);
    }
    if (only != 1) {
      all.accesses += 8 * (x * y * 9 + x + y);
      all.instructions += 8 * (x * y * (second_exit - last_row - last_column - last_threads) + x * last_row +
                               y * last_column) +
                          x * y * last_threads;
    }
    return {sizes["iterations"] * all.accesses, sizes["iterations"] * all.instructions, 0};
  }

 private:
  std::uint64_t corner(const Warp& w) const { return columns_ * side * w.block_y() + side * w.block_x(); }
  Lanes here(const Warp& w) const {
    return Warp::lanes([&](int l) { return word * (corner(w) + columns_ * w.thread_y(l) + w.thread_x(l)); });
  }
  // Of a row, or a column, beside the tile; the program reads beyond the image and then corrects it.
  Lanes row(const Warp& w, std::uint64_t offset) const {
    return Warp::lanes([&](int l) { return word * (corner(w) + offset + w.thread_x(l)); });
  }
  Lanes column(const Warp& w, std::uint64_t offset) const {
    return Warp::lanes([&](int l) { return word * (corner(w) + offset + columns_ * w.thread_y(l)); });
  }

  // Not recorded. Differences to the four neighbours, and the diffusion coefficient.
  Accesses first(Warp w) const {
    const auto all = w.active();
    const bool top = w.block_y() == 0, bottom = !top && w.block_y() + 1 == rows_ / side;
    const bool left = w.block_x() == 0, right = !left && w.block_x() + 1 == columns_ / side;
    const Lanes tile = here(w);
    const Lanes above = row(w, 0 - columns_), below = row(w, side * columns_),
                row_end = row(w, bottom ? (side - 1) * columns_ : 0);
    const Lanes before = column(w, ~std::uint64_t{0}), behind = column(w, side),
                column_end = column(w, right ? side - 1 : 0);
    co_yield w.load(33, all, word, At{above, j_});
    co_yield w.load(37, all, word, At{below, j_});
    co_yield w.load(top ? 45 : 52, top || bottom ? all : 0, word, At{row_end, j_});
    co_yield w.barrier(55);
    co_yield w.load(59, all, word, At{before, j_});
    co_yield w.load(63, all, word, At{behind, j_});
    co_yield w.load(left ? 70 : 77, left || right ? all : 0, word, At{column_end, j_});
    co_yield w.barrier(79);
    co_yield w.load(82, all, word, At{tile, j_});
    co_yield w.barrier(84);
    co_yield w.barrier(134);
    co_yield w.store(137, all, word, At{tile, c_});
    co_yield w.store(140, all, word, At{tile, east_});
    co_yield w.store(143, all, word, At{tile, west_});
    co_yield w.store(146, all, word, At{tile, south_});
    co_yield w.store(149, all, word, At{tile, north_});
    co_yield w.exit(first_exit);
  }
  // The new image, by the coefficients here, to the south and to the east.
  Accesses second(Warp w) const {
    const auto all = w.active();
    const bool bottom = w.block_y() + 1 == rows_ / side, right = w.block_x() + 1 == columns_ / side;
    const Lanes tile = here(w), south = row(w, side * columns_), south_end = row(w, (side - 1) * columns_),
                east = column(w, side), east_end = column(w, side - 1);
    w.jump(0, 2);
    co_yield w.load(23, all, word, At{tile, j_});
    co_yield w.barrier(30);
    co_yield w.load(33, all, word, At{south, c_});
    if (!bottom) w.jump(40, 41 + last_row);
    if (bottom) co_yield w.load(46, all, word, At{south_end, c_});
    co_yield w.barrier(48);
    co_yield w.load(51, all, word, At{east, c_});
    if (!right) w.jump(58, 59 + last_column);
    if (right) co_yield w.load(65, all, word, At{east_end, c_});
    co_yield w.barrier(67);
    co_yield w.load(69, all, word, At{tile, c_});
    co_yield w.barrier(74);
    if (w.index() != 7) w.jump(80, 81 + last_threads);
    co_yield w.load(98, all, word, At{tile, north_});
    co_yield w.load(101, all, word, At{tile, south_});
    co_yield w.load(107, all, word, At{tile, west_});
    co_yield w.load(111, all, word, At{tile, east_});
    co_yield w.barrier(125);
    co_yield w.store(127, all, word, At{tile, j_});
    co_yield w.exit(second_exit);
  }

  std::uint64_t rows_, columns_, j_, c_, east_, west_, south_, north_;
};

}  // namespace

extern const Workload workload_srad_v2;
const Workload workload_srad_v2{
    "srad_v2",
    "speckle reduction, tiles of 16x16 through shared memory",
    "Rodinia",
    "cuda/srad/srad_v2/srad_kernel.cu: srad_cuda_1, srad_cuda_2",
    {{"TSC", "srad_v2", "CLN"}, {"Decoupled L1D", "SD2"}, {"ACI thesis", "SRAD", "conflicting; medium"}},
    {{"rows", 512, 16, 1 << 13, "of the image", 16},
     {"columns", 1024, 16, 1 << 13, "of the image", 16},
     {"iterations", 1, 1, 1000, "of both kernels"},
     {"kernel", 0, 0, 2, "1 or 2: this kernel alone; 0: both"}},
    make_program<SradV2>,
    SradV2::counts,
    "recording of srad_cuda_2, record by record"};

}  // namespace golden
