// convolutionSeparable of the CUDA SDK: rows, then columns, through shared memory. The filter is in constant
// memory.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

// A CTA makes `results` blocks side by side, or one above the other, with a halo block at both ends.
constexpr std::uint32_t results = 8, block_x = 16, rows_y = 4, columns_y = 8;

class ConvolutionSeparable : public FixedProgram {
 public:
  // Not recorded: a straight program of this length, 17 products a result.
  static constexpr std::uint32_t main = 20, left = 52, right = 60, barrier = 66, sums = 67, sum = 36,
                                 exit = sums + results * sum;

  explicit ConvolutionSeparable(const Sizes& sizes)
      : FixedProgram(sizes), width_(sizes["width"]), height_(sizes["height"]) {
    const std::uint64_t bytes = width_ * height_ * word;
    input_ = allocate(bytes);
    output_ = allocate(bytes);
    buffer_ = allocate(bytes);
    KernelInfo rows{"convolutionRowsKernel",
                    {ceiling(width_, results * block_x), ceiling(height_, rows_y), 1},
                    {block_x, rows_y, 1}};
    rows.shared_bytes = rows_y * (results + 2) * block_x * word;
    launch(rows, [this](const Warp& w) {
      const auto at = Warp::lanes(
          [&](int l) { return word * (w.y(l) * width_ + w.block_x() * results * block_x + w.thread_x(l)); });
      return tile(w, at, word * block_x, w.block_x() > 0, (w.block_x() + 1) * results * block_x < width_,
                  input_, buffer_);
    });
    KernelInfo columns{"convolutionColumnsKernel",
                       {ceiling(width_, block_x), ceiling(height_, results * columns_y), 1},
                       {block_x, columns_y, 1}};
    columns.shared_bytes = block_x * ((results + 2) * columns_y + 1) * word;
    launch(columns, [this](const Warp& w) {
      const auto at = Warp::lanes([&](int l) {
        return word * ((w.block_y() * results * columns_y + w.thread_y(l)) * width_ + w.x(l));
      });
      return tile(w, at, word * columns_y * width_, w.block_y() > 0,
                  (w.block_y() + 1) * results * columns_y < height_, buffer_, output_);
    });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t width = sizes["width"], height = sizes["height"];
    const std::uint64_t across = width / (results * block_x), down = height / (results * columns_y);
    const std::uint64_t rows = height / rows_y * (block_x * rows_y / 32),
                        columns = width / block_x * (block_x * columns_y / 32);
    const auto accesses = [](std::uint64_t ctas) { return 2 * results * ctas + 2 * (ctas - 1); };
    return {rows * accesses(across) + columns * accesses(down), (rows * across + columns * down) * (exit + 1),
            3 * lines_of(width * height * word)};
  }

 private:
  // `apart` is the distance of two blocks.
  static Accesses tile(Warp w, Lanes at, std::uint64_t apart, bool before, bool behind, std::uint64_t from,
                       std::uint64_t to) {
    const auto all = w.active();
    for (std::uint32_t i = 0; i < results; ++i)
      co_yield w.load(main + 4 * i, all, word, At{at, from + i * apart});
    co_yield w.load(left, before ? all : 0, word, At{at, from - apart});
    co_yield w.load(right, behind ? all : 0, word, At{at, from + results * apart});
    co_yield w.barrier(barrier);
    for (std::uint32_t i = 0; i < results; ++i)
      co_yield w.store(sums + sum * (i + 1) - 1, all, word, At{at, to + i * apart});
    co_yield w.exit(exit);
  }

  std::uint64_t width_, height_, input_, output_, buffer_;
};

}  // namespace

extern const Workload workload_convolution_separable;
const Workload workload_convolution_separable{
    "convolution_separable",
    "a filter of radius 8 along the rows of an image, then along its columns",
    "CUDA SDK",
    "convolutionSeparable/convolutionSeparable.cu: convolutionRowsKernel, convolutionColumnsKernel",
    {{"ACI thesis", "CONV", "streaming; medium"}},
    {{"width", 1024, 128, 1 << 15, "of the image", results* block_x},
     {"height", 1024, 64, 1 << 15, "of the image", results* columns_y}},
    make_program<ConvolutionSeparable>,
    ConvolutionSeparable::counts,
    "its closed form"};

}  // namespace golden
