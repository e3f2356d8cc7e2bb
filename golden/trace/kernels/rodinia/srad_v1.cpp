// srad_v1 of Rodinia: the two kernels that move over the image.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class SradV1 : public FixedProgram {
 public:
  // An instruction is jumped over in both; `idle` leaves the warps behind the image.
  static constexpr std::uint32_t threads = 512, srad_idle = 19, srad_exit = 117, srad2_idle = 17,
                                 srad2_exit = 74;

  explicit SradV1(const Sizes& sizes)
      : FixedProgram(sizes), rows_(sizes["rows"]), columns_(sizes["columns"]) {
    const std::uint64_t image = rows_ * columns_ * word;
    image_ = allocate(image);
    north_row_ = allocate(rows_ * word);
    south_row_ = allocate(rows_ * word);
    east_column_ = allocate(columns_ * word);
    west_column_ = allocate(columns_ * word);
    for (int sums = 0; sums < 2; ++sums) allocate(image);
    north_ = allocate(image);
    south_ = allocate(image);
    east_ = allocate(image);
    west_ = allocate(image);
    c_ = allocate(image);
    const std::array<std::uint32_t, 3> grid{ceiling(rows_ * columns_, threads), 1, 1}, block{threads, 1, 1};
    for (std::uint64_t i = 0; i < sizes["iterations"]; ++i) {
      launch({"srad", grid, block}, [this](const Warp& w) { return srad(w); });
      launch({"srad2", grid, block}, [this](const Warp& w) { return srad2(w); });
    }
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t points = sizes["rows"] * sizes["columns"], times = sizes["iterations"];
    const WarpCount warps = count_warps({ceiling(points, threads), 1, 1}, {threads, 1, 1}, {0, points});
    return {times * warps.working * (14 + 11),
            times * (warps.working * (srad_exit + srad2_exit) + warps.idle() * (srad_idle + srad2_idle + 4)),
            6 * lines_of(points * word) + 2 * lines_of(sizes["rows"] * word) +
                2 * lines_of(sizes["columns"] * word)};
  }

 private:
  // A thread's point: the image lies column by column, its neighbours are clamped at the border.
  struct Points {
    std::uint32_t lanes;
    Lanes here, row, column, north, south, east, west;
  };
  Points points(const Warp& w) const {
    const auto place = [&](int l) { return std::min(w.x(l), rows_ * columns_ - 1); };
    const auto row = [&](int l) { return place(l) % rows_; };
    const auto column = [&](int l) { return place(l) / rows_; };
    const auto at = [&](std::uint64_t r, std::uint64_t c) { return word * (r + rows_ * c); };
    return {Warp::where(w.active(), [&](int l) { return w.x(l) < rows_ * columns_; }),
            Warp::lanes([&](int l) { return word * place(l); }),
            Warp::lanes([&](int l) { return word * row(l); }),
            Warp::lanes([&](int l) { return word * column(l); }),
            Warp::lanes([&](int l) { return at(row(l) ? row(l) - 1 : 0, column(l)); }),
            Warp::lanes([&](int l) { return at(std::min(row(l) + 1, rows_ - 1), column(l)); }),
            Warp::lanes([&](int l) { return at(row(l), std::min(column(l) + 1, columns_ - 1)); }),
            Warp::lanes([&](int l) { return at(row(l), column(l) ? column(l) - 1 : 0); })};
  }

  // Differences to the four neighbours, and the diffusion coefficient.
  Accesses srad(Warp w) const {
    const Points p = points(w);
    if (p.lanes == 0) {
      w.jump(srad_idle, srad_exit);
      co_yield w.exit(srad_exit);
      co_return;
    }
    w.jump(srad_idle + 1, srad_idle + 3);
    co_yield w.load(34, p.lanes, word, At{p.row, north_row_});
    co_yield w.load(38, p.lanes, word, At{p.north, image_});
    co_yield w.load(41, p.lanes, word, At{p.here, image_});
    co_yield w.load(45, p.lanes, word, At{p.row, south_row_});
    co_yield w.load(49, p.lanes, word, At{p.south, image_});
    co_yield w.load(54, p.lanes, word, At{p.column, west_column_});
    co_yield w.load(58, p.lanes, word, At{p.west, image_});
    co_yield w.load(62, p.lanes, word, At{p.column, east_column_});
    co_yield w.load(66, p.lanes, word, At{p.east, image_});
    co_yield w.store(103, p.lanes, word, At{p.here, north_});
    co_yield w.store(106, p.lanes, word, At{p.here, south_});
    co_yield w.store(109, p.lanes, word, At{p.here, west_});
    co_yield w.store(112, p.lanes, word, At{p.here, east_});
    co_yield w.store(115, p.lanes, word, At{p.here, c_});
    co_yield w.exit(srad_exit);
  }
  // The new image, by the coefficients here, to the south and to the east.
  Accesses srad2(Warp w) const {
    const Points p = points(w);
    if (p.lanes == 0) {
      w.jump(srad2_idle, srad2_exit);
      co_yield w.exit(srad2_exit);
      co_return;
    }
    w.jump(srad2_idle + 1, srad2_idle + 3);
    co_yield w.load(32, p.lanes, word, At{p.row, south_row_});
    co_yield w.load(39, p.lanes, word, At{p.column, east_column_});
    co_yield w.load(46, p.lanes, word, At{p.here, north_});
    co_yield w.load(48, p.lanes, word, At{p.here, c_});
    co_yield w.load(51, p.lanes, word, At{p.here, south_});
    co_yield w.load(52, p.lanes, word, At{p.south, c_});
    co_yield w.load(57, p.lanes, word, At{p.here, west_});
    co_yield w.load(61, p.lanes, word, At{p.here, east_});
    co_yield w.load(62, p.lanes, word, At{p.east, c_});
    co_yield w.load(65, p.lanes, word, At{p.here, image_});
    co_yield w.store(72, p.lanes, word, At{p.here, image_});
    co_yield w.exit(srad2_exit);
  }

  std::uint64_t rows_, columns_, image_, north_row_, south_row_, east_column_, west_column_, north_, south_,
      east_, west_, c_;
};

}  // namespace

extern const Workload workload_srad_v1;
const Workload workload_srad_v1{"srad_v1",
                                "speckle reduction, an image column by column, neighbours by tables",
                                "Rodinia",
                                "cuda/srad/srad_v1/srad_kernel.cu, srad2_kernel.cu: srad, srad2",
                                {{"TSC", "srad_v1", "CLP"}, {"Decoupled L1D", "SD1"}},
                                {{"rows", 502, 1, 1 << 13, "of the image"},
                                 {"columns", 458, 1, 1 << 13, "of the image"},
                                 {"iterations", 2, 1, 1000, "of both kernels"}},
                                make_program<SradV1>,
                                SradV1::counts,
                                "recordings of both kernels, record by record"};

}  // namespace golden
