// im2col of Caffe: the pixels below each position of a filter become a column, for a product of matrices.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class Im2col : public FixedProgram {
 public:
  // Not recorded: two loops of these lengths, over rows and columns of the filter.
  static constexpr std::uint32_t threads = 512, idle = 9, row = 52, step = 58, branch = 74, row_branch = 78,
                                 exit = 80;

  explicit Im2col(const Sizes& sizes)
      : FixedProgram(sizes),
        side_(sizes["size"]),
        kernel_(sizes["kernel"]),
        stride_(sizes["stride"]),
        pad_(sizes["pad"]),
        out_(places(sizes)),
        columns_(sizes["channels"] * out_ * out_) {
    image_ = allocate(sizes["channels"] * side_ * side_ * word);
    columns_at_ = allocate(columns_ * kernel_ * kernel_ * word);
    launch({"im2col_gpu_kernel", {ceiling(columns_, threads), 1, 1}, {threads, 1, 1}},
           [this](const Warp& w) { return column(w); });
  }

 private:
  static std::uint64_t places(const Sizes& sizes) {
    const std::uint64_t padded = sizes["size"] + 2 * sizes["pad"];
    if (padded < sizes["kernel"]) sizes.fail("size + 2 * pad is below kernel");
    return (padded - sizes["kernel"]) / sizes["stride"] + 1;
  }

  // Pixels outside of the image are zeros that are not read.
  Accesses column(Warp w) const {
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.x(l) < columns_; });
    const std::uint64_t plane = out_ * out_;
    const auto corner_x = Warp::lanes([&](int l) { return w.x(l) % out_ * stride_; });
    const auto corner_y = Warp::lanes([&](int l) { return w.x(l) / out_ % out_ * stride_; });
    const auto to = Warp::lanes([&](int l) {
      const std::uint64_t channel = w.x(l) / plane;
      return columns_at_ + word * (channel * kernel_ * kernel_ * plane + w.x(l) % plane);
    });
    const auto from = Warp::lanes([&](int l) {  // of the pixel `pad` to the right of and below the corner
      const auto lane = static_cast<std::size_t>(l);
      return image_ + word * ((w.x(l) / plane * side_ + corner_y[lane]) * side_ + corner_x[lane]);
    });
    if (lanes == 0) w.jump(idle, exit);
    for (std::uint64_t i = 0; lanes && i < kernel_; ++i) {
      if (i > 0) w.jump(row_branch, row);
      for (std::uint64_t j = 0; j < kernel_; ++j) {
        if (j > 0) w.jump(branch, step);
        const auto inside = Warp::where(lanes, [&](int l) {
          const auto lane = static_cast<std::size_t>(l);
          const std::uint64_t x = corner_x[lane] + j, y = corner_y[lane] + i;
          return x >= pad_ && x < side_ + pad_ && y >= pad_ && y < side_ + pad_;
        });
        co_yield w.load(66, inside, word, At{from, word * (i * side_ + j) - word * (pad_ * side_ + pad_)});
        co_yield w.store(70, lanes, word, At{to, word * (i * kernel_ + j) * plane});
      }
    }
    co_yield w.exit(exit);
  }

  std::uint64_t side_, kernel_, stride_, pad_, out_, columns_;
  std::uint64_t image_, columns_at_;
};

}  // namespace

extern const Workload workload_im2col;
const Workload workload_im2col{
    "im2col",
    "the input of a convolution layer as a matrix, one thread a position of the filter in a channel",
    "Caffe",
    "src/caffe/util/im2col.cu: im2col_gpu_kernel",
    {},
    {{"channels", 64, 1, 4096, "of the image"},
     {"size", 56, 1, 1024, "rows and columns of the image"},
     {"kernel", 3, 1, 16, "rows and columns of the filter"},
     {"stride", 1, 1, 16, "between two positions of the filter"},
     {"pad", 1, 0, 16, "rows and columns of zeros around the image"}},
    make_program<Im2col>,
    nullptr,
    "a serial program of the same loops"};

}  // namespace golden
