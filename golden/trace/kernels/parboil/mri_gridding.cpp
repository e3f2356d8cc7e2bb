// mri-gridding of Parboil: samples of k-space in bins of a grid, and their weighted sums at its points.
#include <algorithm>
#include <numeric>

#include "golden/trace/kernels/spokes.h"
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class MriGridding : public FixedProgram {
 public:
  static constexpr std::uint32_t threads = 512, tile = 64, axes = 3;
  static constexpr std::uint64_t sample_bytes = 24;              // value, position and density
  static constexpr std::array<std::uint32_t, 3> block{8, 4, 2};  // of the grid's points; four of them along z
  static constexpr std::uint32_t planes = 4;
  // Not recorded: programs of these lengths; of the last, loops over rows of bins, over tiles of samples, and
  // over the samples of a tile, with a sum in each of four planes.
  static constexpr std::uint32_t idle = 9, bin_exit = 52, order_exit = 34, row = 84, tiles = 104,
                                 compute = 126, plane = 12, sum = 46, row_end = 131, exit = 170;

  explicit MriGridding(const Sizes& sizes)
      : FixedProgram(sizes),
        count_(sizes["samples"]),
        side_(sizes["side"]),
        width_(sizes["width"]),
        limit_(sizes["bin"]),
        samples_(count_, side_, sizes["seed"]) {
    sort();
    const std::uint64_t padded = (count_ + 63) / 64 * 64, cells = side_ * side_ * side_;
    sorted_ = allocate(padded * sample_bytes);
    starts_ = allocate((cells + 1) * word);
    given_ = allocate(count_ * sample_bytes);
    keys_ = allocate((count_ + 3) / 4 * 4 * word);
    numbers_ = allocate((count_ + 3) / 4 * 4 * word);
    sums_ = allocate(cells * 2 * word);
    densities_ = allocate(cells * word);
    places_ = sorted_ + 2 * padded * word;
    const std::array<std::uint32_t, 3> ctas{ceiling(count_, threads), 1, 1};
    launch({"binning_kernel", ctas, {threads, 1, 1}}, [this](const Warp& w) { return bin(w); });
    launch({"reorder_kernel", ctas, {threads, 1, 1}}, [this](const Warp& w) { return reorder(w); });
    KernelInfo gridding{"gridding_GPU",
                        {sizes.u32("side") / block[0],
                         static_cast<std::uint32_t>(side_ * side_ / (planes * block[1] * block[2])), 1},
                        block};
    gridding.shared_bytes = tile * sample_bytes;
    launch(gridding, [this](const Warp& w) { return grid(w); });
  }

 private:
  std::uint64_t cell(std::uint64_t sample) const {
    const Spokes::Point& p = samples_.points()[sample];
    const auto at = [&](std::size_t axis) { return static_cast<std::uint64_t>(p[axis] / Spokes::unit); };
    return (at(2) * side_ + at(1)) * side_ + at(0);
  }

  // What a radix sort by cells makes of the samples. Samples that find their bin full, in the order of their
  // numbers, come last.
  void sort() {
    std::vector<std::uint32_t> filled(side_ * side_ * side_);
    rank_.resize(count_);
    for (std::uint64_t i = 0; i < count_; ++i) rank_[i] = filled[cell(i)]++;
    first_.assign(filled.size() + 1, 0);
    for (std::size_t c = 0; c < filled.size(); ++c)
      first_[c + 1] = first_[c] + static_cast<std::uint32_t>(std::min<std::uint64_t>(filled[c], limit_));
    order_.resize(count_);
    std::uint32_t behind = first_.back();
    for (std::uint64_t i = 0; i < count_; ++i)
      order_[rank_[i] < limit_ ? first_[cell(i)] + rank_[i] : behind++] = static_cast<std::uint32_t>(i);
  }

  // A bin takes a sample if it was not full before this warp came.
  Accesses bin(Warp w) const {
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.x(l) < count_; });
    if (lanes == 0) w.jump(idle, bin_exit);
    const auto at = Warp::lanes([&](int l) { return given_ + sample_bytes * w.x(l); });
    for (std::uint32_t n = 0; n < axes; ++n)  // z, y, x
      co_yield w.load(14 + 3 * n, lanes, word, At{at, word * (4 - n)});
    const auto place =
        Warp::lanes([&](int l) { return lanes >> l & 1 ? starts_ + word * cell(w.x(l)) : std::uint64_t{0}; });
    co_yield w.load(30, lanes, word, At{place});
    const std::uint64_t first = w.x(0);
    const auto before = [&](int l) {  // samples of the bin in front of the warp
      std::uint32_t own = 0;
      for (std::uint64_t i = first; i < w.x(l); ++i) own += cell(i) == cell(w.x(l));
      return rank_[w.x(l)] - own;
    };
    const auto adds = Warp::where(lanes, [&](int l) { return before(l) < limit_; });
    const auto full = Warp::where(adds, [&](int l) { return rank_[w.x(l)] >= limit_; });
    co_yield w.atomic(34, adds, word, At{place});
    co_yield w.atomic(40, full, word, At{place});
    co_yield w.store(48, lanes, word, [&](int l) { return keys_ + word * w.x(l); });
    co_yield w.store(50, lanes, word, [&](int l) { return numbers_ + word * w.x(l); });
    co_yield w.exit(bin_exit);
  }

  Accesses reorder(Warp w) const {
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.x(l) < count_; });
    if (lanes == 0) w.jump(idle, order_exit);
    co_yield w.load(13, lanes, word, [&](int l) { return numbers_ + word * w.x(l); });
    const auto from = Warp::lanes(
        [&](int l) { return lanes >> l & 1 ? given_ + sample_bytes * order_[w.x(l)] : std::uint64_t{0}; });
    for (std::uint32_t n = 0; n < sample_bytes / word; ++n)
      co_yield w.load(17 + n, lanes, word, At{from, word * n});
    co_yield w.store(28, lanes, 2 * word, [&](int l) { return sorted_ + 2 * word * w.x(l); });
    co_yield w.store(32, lanes, 4 * word, [&](int l) { return places_ + 4 * word * w.x(l); });
    co_yield w.exit(order_exit);
  }

  // Cells from `first` on that may hold samples within half the kernel's width of `count` points.
  struct Range {
    std::int64_t first, last;
  };
  Range near(std::int64_t first, std::int64_t count) const {
    const auto width = static_cast<std::int64_t>(width_), side = static_cast<std::int64_t>(side_);
    return {std::max<std::int64_t>(first - (width + 1) / 2, 0),
            std::min(first + count + width / 2, side - 1)};
  }

  // Whether a point of the warp in a plane is within half the width of a sample: if the nearest one is.
  bool reaches(std::uint64_t sample, std::int64_t x, std::int64_t y, std::int64_t z) const {
    const Spokes::Point& p = samples_.points()[sample];
    const auto off = [](std::int64_t at, std::int64_t first, std::int64_t count) {
      const std::int64_t nearest =
          std::clamp((at + Spokes::unit / 2) / Spokes::unit, first, first + count - 1);
      return (at - nearest * Spokes::unit) * (at - nearest * Spokes::unit);
    };
    const auto reach = static_cast<std::int64_t>(width_) * Spokes::unit;  // twice
    return 4 * (off(p[0], x, block[0]) + off(p[1], y, block[1]) + off(p[2], z, 1)) < reach * reach;
  }

  // Samples of the bins around, in tiles of 64 by way of shared memory. A warp is a plane of the block.
  Accesses grid(Warp w) const {
    const auto down = static_cast<std::uint32_t>(side_ / block[1]);
    const std::int64_t x0 = block[0] * w.block_x(), y0 = block[1] * (w.block_y() % down),
                       z0 = planes * block[2] * (w.block_y() / down);
    const Range xs = near(x0, block[0]), ys = near(y0, block[1]), zs = near(z0, planes * block[2]);
    const auto side = static_cast<std::int64_t>(side_);
    for (std::int64_t z = zs.first; z <= zs.last; ++z)
      for (std::int64_t y = ys.first; y <= ys.last; ++y) {
        if (z != zs.first || y != ys.first) w.jump(row_end, row);
        const auto from = static_cast<std::uint64_t>((z * side + y) * side + xs.first),
                   to = static_cast<std::uint64_t>((z * side + y) * side + xs.last + 1);
        co_yield w.load(row + 6, w.active(), word, [&](int) { return starts_ + word * from; });
        co_yield w.load(row + 9, w.active(), word, [&](int) { return starts_ + word * to; });
        const std::uint64_t start = first_[from], end = first_[to];
        if (start == end) w.jump(tiles - 1, row_end - 1);
        for (std::uint64_t at = start; at < end; at += tile) {
          if (at != start) w.jump(compute + 3, tiles);
          const std::uint64_t count = std::min<std::uint64_t>(end - at, tile);
          const auto lanes = Warp::where(
              w.active(), [&](int l) { return 32u * w.index() + static_cast<std::uint32_t>(l) < count; });
          const auto number =
              Warp::lanes([&](int l) { return at + 32u * w.index() + static_cast<std::uint32_t>(l); });
          const auto of = [&](int l) { return number[static_cast<std::size_t>(l)]; };
          co_yield w.barrier(tiles + 4);
          co_yield w.load(tiles + 10, lanes, 2 * word, [&](int l) { return sorted_ + 2 * word * of(l); });
          co_yield w.load(tiles + 12, lanes, 4 * word, [&](int l) { return places_ + 4 * word * of(l); });
          co_yield w.barrier(tiles + 20);
          w.run(samples(at, count, x0, y0, z0 + w.index()));
        }
      }
    for (std::uint32_t n = 0; n < planes; ++n) {
      const auto point = Warp::lanes([&](int l) {
        return static_cast<std::uint64_t>(
            ((z0 + w.index() + block[2] * n) * side + y0 + (l / block[0])) * side + x0 + l % block[0]);
      });
      const auto of = [&](int l) { return point[static_cast<std::size_t>(l)]; };
      co_yield w.store(row_end + 22 + 4 * n, w.active(), 2 * word,
                       [&](int l) { return sums_ + 2 * word * of(l); });
      co_yield w.store(row_end + 24 + 4 * n, w.active(), word,
                       [&](int l) { return densities_ + word * of(l); });
    }
    co_yield w.exit(exit);
  }

  // Instructions for a tile: a test in each plane, and a sum where a point is near.
  std::uint32_t samples(std::uint64_t at, std::uint64_t count, std::int64_t x, std::int64_t y,
                        std::int64_t z) const {
    std::uint32_t instructions = 0;
    for (std::uint64_t i = at; i < at + count; ++i)
      for (std::uint32_t n = 0; n < planes; ++n)
        instructions += plane + (reaches(order_[i], x, y, z + block[2] * n) ? sum : 0);
    return instructions;
  }

  std::uint64_t count_, side_, width_, limit_;
  Spokes samples_;
  std::vector<std::uint32_t> rank_, first_, order_;  // in the bin; of a bin; sorted
  std::uint64_t sorted_, places_, starts_, given_, keys_, numbers_, sums_, densities_;
};

}  // namespace

extern const Workload workload_mri_gridding;
const Workload workload_mri_gridding{
    "mri_gridding",
    "sums of generated samples around each point of a grid: binning, order by bins, and the sums",
    "Parboil",
    "benchmarks/mri-gridding/src/cuda/GPU_kernels.cu: binning_kernel, reorder_kernel, gridding_GPU",
    {{"TSC", "mri-gridding", "CLP"}},
    {{"samples", 1 << 17, 1, 1 << 24, "on spokes of 64 through the middle"},
     {"side", 64, 8, 256, "points along an edge of the grid", 8},
     {"width", 4, 1, 8, "of the kernel, in cells"},
     {"bin", 128, 1, 1 << 16, "samples a bin takes; the program leaves others to the processor"},
     {"seed", 1, 0, 1u << 30, "of the spokes"}},
    make_program<MriGridding>,
    nullptr,
    "the program's loops, run thread by thread on the same samples; sort and scan are left out"};

}  // namespace golden
