// dwt2d of Rodinia: an image's components, then levels of the forward 5/3 transform of each.
#include <algorithm>

#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

constexpr std::uint32_t window_rows = 8, components = 3;

// A level of the transform: windows of `window` columns slide down in steps of 8 rows, one CTA each.
struct WaveletLevel {
  std::int64_t width, height;

  std::uint32_t window() const { return width >= 960 ? 192 : width >= 480 ? 128 : 64; }
  std::uint32_t steps() const {
    return ceiling(static_cast<std::uint64_t>(height), std::uint64_t{15} * window_rows);
  }
  std::uint32_t across() const { return ceiling(static_cast<std::uint64_t>(width), window()); }
  std::uint32_t down() const {
    return ceiling(static_cast<std::uint64_t>(height), std::uint64_t{window_rows} * steps());
  }
  WaveletLevel next() const { return {(width + 1) / 2, (height + 1) / 2}; }
  // Even and odd columns of the window, with a boundary of two, and a padding of banks.
  std::uint64_t shared_bytes() const {
    const std::uint64_t half = (2 + window() / 2) * (window_rows + 3);
    return word * (2 * half + 32 - (half + 16) % 32);
  }

  // In the image, mirrored at its edges.
  static std::int64_t mirrored(std::int64_t at, std::int64_t size) {
    return at >= size ? 2 * size - 2 - at : at < 0 ? -at : at;
  }
  std::uint64_t pixel(std::int64_t x, std::int64_t y) const {
    return word * static_cast<std::uint64_t>(mirrored(y, height) * width + mirrored(x, width));
  }
  // Of a coefficient: four bands behind each other, of even and odd rows and columns.
  std::uint64_t coefficient(std::int64_t x, std::int64_t y) const {
    const std::int64_t left = (width + 1) / 2, above = (height + 1) / 2, columns = x % 2 ? width / 2 : left;
    const std::int64_t band =
        (x % 2 ? left * above : 0) + (y % 2 ? (x % 2 ? width * height / 2 : above * width) : 0);
    return word * static_cast<std::uint64_t>(band + y / 2 * columns + x / 2);
  }
};

class Dwt2d : public FixedProgram {
 public:
  // Not recorded: straight programs of this length.
  static constexpr std::uint32_t copy_threads = 256, copy_skip = 12, copy_barrier = 18, copy_branch = 30,
                                 copy_exit = 43;
  static constexpr std::uint32_t first_rows = 40, boundary = 51, loop = 100, rows = 104, windows = 196,
                                 barriers[] = {300, 340, 380, 416}, writes = 386, exit = 420;

  explicit Dwt2d(const Sizes& sizes) : FixedProgram(sizes) {
    const WaveletLevel whole = level_of(sizes);
    WaveletLevel last = whole;
    for (std::uint64_t n = 1; n < sizes["levels"]; ++n) last = last.next();
    // The program mirrors once, so that a window of 64 and one more must not pass the other edge.
    if (std::min(last.width, last.height) < 33)
      sizes.fail("the last level has fewer than 33 columns or rows");
    const std::uint64_t pixels = sizes["width"] * sizes["height"];
    const std::uint32_t ctas = ceiling(pixels, copy_threads);
    std::array<std::uint64_t, components> in{}, out{};
    out[0] = allocate(pixels * word);
    allocate(pixels * word);  // a copy of the input, which no kernel touches
    out[1] = allocate(pixels * word);
    out[2] = allocate(pixels * word);
    for (std::uint64_t& component : in) component = allocate(pixels * word);
    const std::uint64_t source = allocate(std::uint64_t{ctas} * copy_threads * components);
    KernelInfo copy{"c_CopySrcToComponents", {ctas, 1, 1}, {copy_threads, 1, 1}};
    copy.shared_bytes = copy_threads * components;
    launch(copy, [=](const Warp& w) { return separate(w, pixels, source, in); });
    for (std::size_t c = 0; c < components; ++c) {
      WaveletLevel level = whole;
      for (std::uint64_t n = 0; n < sizes["levels"]; ++n, level = level.next()) {
        KernelInfo transform{"fdwt53Kernel", {level.across(), level.down(), 1}, {level.window(), 1, 1}};
        transform.shared_bytes = level.shared_bytes();
        launch(transform, [level, from = in[c], to = out[c]](const Warp& w) {
          return transform_windows(w, level, from, to);
        });
      }
    }
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t pixels = sizes["width"] * sizes["height"], copies = ceiling(pixels, copy_threads),
                        warps = ceiling(pixels, 32);
    WorkloadCounts all{6 * copies + components * warps,
                       8 * copies * (copy_exit + 1) - 2 * copies * (copy_barrier - copy_skip - 1) -
                           (8 * copies - warps) * (copy_exit - copy_branch - 1),
                       0};
    WaveletLevel level = level_of(sizes);
    for (std::uint64_t n = 0; n < sizes["levels"]; ++n, level = level.next()) {
      const std::uint64_t ctas = std::uint64_t{level.across()} * level.down(), steps = level.steps(),
                          loads = 3 + window_rows * steps, width = static_cast<std::uint64_t>(level.width);
      // A warp writes even columns of 64 or odd ones.
      const std::uint64_t writing = ceiling(width, 64) + ceiling(width - 1, 64);
      const std::uint64_t inside = ctas * (level.window() / 32 - 1);  // warps without a boundary column
      all.accesses +=
          components * ((2 * ctas + inside) * loads + writing * static_cast<std::uint64_t>(level.height));
      all.instructions += components * ((ctas + inside) * (loop + steps * (exit - loop) + 1) -
                                        inside * (loop - boundary - 1 + steps * (barriers[0] - windows - 1)));
    }
    return all;
  }

 private:
  static WaveletLevel level_of(const Sizes& sizes) {
    return {static_cast<std::int64_t>(sizes["width"]), static_cast<std::int64_t>(sizes["height"])};
  }

  // Bytes of three colours, copied by words through shared memory.
  static Accesses separate(Warp w, std::uint64_t pixels, std::uint64_t from,
                           std::array<std::uint64_t, components> to) {
    const auto all = w.active();
    const bool copies = w.thread_x(0) < copy_threads * components / word;
    if (!copies) w.jump(copy_skip, copy_barrier);
    co_yield w.load(copy_skip + 4, copies ? all : 0, word, [&](int l) {
      return from + std::uint64_t{copy_threads} * components * w.block_x() + word * w.thread_x(l);
    });
    co_yield w.barrier(copy_barrier);
    const auto inside = Warp::where(all, [&](int l) { return w.x(l) < pixels; });
    const auto pixel = Warp::lanes([&](int l) { return word * w.x(l); });
    if (inside == 0) w.jump(copy_branch, copy_exit);
    for (std::uint32_t c = 0; c < components; ++c)
      co_yield w.store(copy_branch + 4 * (c + 1), inside, word, At{pixel, to[c]});
    co_yield w.exit(copy_exit);
  }

  static Accesses transform_windows(Warp w, WaveletLevel level, std::uint64_t from, std::uint64_t to) {
    const auto all = w.active();
    const std::int64_t window = level.window(), steps = level.steps(), left = window * w.block_x(),
                       top = window_rows * steps * w.block_y();
    // The first three threads have a column of the boundary, too: the next window's first, and the two
    // before.
    const std::uint32_t edge = w.index() == 0 ? 7 : 0;
    const auto column = [&](int l) { return left + static_cast<std::int64_t>(w.thread_x(l)); };
    const auto edge_column = [&](int l) { return l == 0 ? left + window : left + l - 3; };
    // The first half of the threads writes even columns.
    const auto out_column = [&](int l) {
      const std::int64_t thread = w.thread_x(l);
      return left + 2 * thread - (thread < window / 2 ? 0 : window - 1);
    };
    // In the topmost windows the first three rows come from below.
    const auto first_row = [&](std::int64_t n) { return w.block_y() == 0 ? n : top - 2 + n; };
    for (std::uint32_t n = 0; n < 3; ++n)
      co_yield w.load(first_rows + 4 * n, all, word,
                      [&](int l) { return from + level.pixel(column(l), first_row(n)); });
    if (!edge) w.jump(boundary, loop);
    for (std::uint32_t n = 0; n < 3; ++n)
      co_yield w.load(first_rows + 40 + 4 * n, edge, word,
                      [&](int l) { return from + level.pixel(edge_column(l), first_row(n)); });
    for (std::int64_t step = 0; step < steps; ++step) {
      const std::int64_t row = top + window_rows * step;
      for (std::uint32_t n = 0; n < window_rows; ++n)
        co_yield w.load(rows + 4 * n, all, word,
                        [&](int l) { return from + level.pixel(column(l), row + n + 1); });
      if (!edge) w.jump(windows, barriers[0]);
      for (std::uint32_t n = 0; n < window_rows; ++n)
        co_yield w.load(windows + 8 + 4 * n, edge, word,
                        [&](int l) { return from + level.pixel(edge_column(l), row + n + 1); });
      for (std::size_t n = 0; n < 3; ++n) co_yield w.barrier(barriers[n]);
      for (std::uint32_t n = 0; n < window_rows; ++n) {
        const auto lanes =
            row + n < level.height ? Warp::where(all, [&](int l) { return out_column(l) < level.width; }) : 0;
        co_yield w.store(writes + 4 * n, lanes, word,
                         [&](int l) { return to + level.coefficient(out_column(l), row + n); });
      }
      co_yield w.barrier(barriers[3]);
      if (step + 1 < steps) w.jump(exit - 1, loop);
    }
    co_yield w.exit(exit);
  }
};

}  // namespace

extern const Workload workload_dwt2d;
const Workload workload_dwt2d{
    "dwt2d",
    "levels of a forward 5/3 wavelet transform of an image's three components, in sliding windows",
    "Rodinia",
    "cuda/dwt2d/components.cu, dwt_cuda/fdwt53.cu: c_CopySrcToComponents, fdwt53Kernel",
    {{"TSC", "dwt2d", "CLP"}},
    {{"width", 1024, 64, 1 << 13, "of the image"},
     {"height", 1024, 64, 1 << 13, "of the image"},
     {"levels", 3, 1, 8, "of the transform"}},
    make_program<Dwt2d>,
    Dwt2d::counts,
    "its closed form; windows mirrored at the image's edges, and bands"};

}  // namespace golden
