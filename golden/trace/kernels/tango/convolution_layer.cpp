// A convolution layer of Tango's networks, as those of AlexNet behind the first.
#include <algorithm>

#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class ConvolutionLayer : public FixedProgram {
 public:
  // Not recorded: three loops of these lengths, over features, rows and columns of the filter.
  static constexpr std::uint32_t feature = 42, row = 48, step = 56, step_branch = 68, row_branch = 72,
                                 feature_branch = 76, exit = 92;

  explicit ConvolutionLayer(const Sizes& sizes)
      : FixedProgram(sizes),
        side_(sizes["size"]),
        kernel_(sizes["kernel"]),
        pad_(sizes["pad"]),
        features_(sizes["features"]) {
    if (2 * pad_ >= kernel_) sizes.fail("pad is not below half of kernel");
    if (side_ < kernel_) sizes.fail("size is below kernel");
    const std::uint64_t outputs = sizes["outputs"];
    bias_ = allocate(outputs * word);
    input_ = allocate(features_ * side_ * side_ * word);
    weights_ = allocate(outputs * features_ * kernel_ * kernel_ * word);
    output_ = allocate(outputs * side_ * side_ * word);
    launch({"execute3DconvolutionCuda",
            {static_cast<std::uint32_t>(outputs), 1, 1},
            {static_cast<std::uint32_t>(side_), static_cast<std::uint32_t>(side_), 1}},
           [this](const Warp& w) { return pixel(w); });
  }

 private:
  // How many of the filter's rows, or columns, the program takes at a pixel, and how many it leaves out
  // ahead.
  struct Part {
    std::uint64_t taken, left_out;
  };
  Part part(std::uint64_t at) const {
    if (at >= side_ - pad_) return {side_ + pad_ - at, at < pad_ ? pad_ - at : 0};
    return at < pad_ ? Part{kernel_ - (pad_ - at), pad_ - at} : Part{kernel_, 0};
  }

  // A thread a pixel, the rows side by side in a warp. The program starts at the pixel's own column, not
  // `pad` ahead of it, and so reads beyond the end of rows.
  Accesses pixel(Warp w) const {
    const auto all = w.active();
    const std::uint64_t plane = side_ * side_, filter = kernel_ * kernel_;
    std::array<Part, 32> rows{}, columns{};
    std::uint64_t most_rows = 0, most_columns = 0;
    for (int l = 0; l < 32; ++l) {
      if (!(all >> l & 1)) continue;
      const auto lane = static_cast<std::size_t>(l);
      rows[lane] = part(w.thread_x(l));
      columns[lane] = part(w.thread_y(l));
      most_rows = std::max(most_rows, rows[lane].taken);
      most_columns = std::max(most_columns, columns[lane].taken);
    }
    const auto neuron = Warp::lanes([&](int l) {
      const std::uint64_t r = w.thread_x(l), c = w.thread_y(l);
      return word * ((r > pad_ ? (r - pad_) * side_ : 0) + (c >= pad_ ? c : 0));
    });
    const auto weight = Warp::lanes([&](int l) {
      const auto lane = static_cast<std::size_t>(l);
      return word * (kernel_ * rows[lane].left_out + columns[lane].left_out);
    });
    for (std::uint64_t f = 0; f < features_; ++f) {
      if (f > 0) w.jump(feature_branch, feature);
      for (std::uint64_t i = 0; i < most_rows; ++i) {
        if (i > 0) w.jump(row_branch, row);
        for (std::uint64_t j = 0; j < most_columns; ++j) {
          const auto lanes = Warp::where(all, [&](int l) {
            const auto lane = static_cast<std::size_t>(l);
            return i < rows[lane].taken && j < columns[lane].taken;
          });
          if (lanes == 0) break;
          if (j > 0) w.jump(step_branch, step);
          co_yield w.load(60, lanes, word, At{neuron, input_ + word * (f * plane + i * side_ + j)});
          co_yield w.load(
              64, lanes, word,
              At{weight, weights_ + word * ((w.block_x() * features_ + f) * filter + i * kernel_ + j)});
        }
      }
    }
    co_yield w.load(80, all, word, [&](int) { return bias_ + word * w.block_x(); });
    co_yield w.store(90, all, word, [&](int l) {
      return output_ + word * (w.block_x() * plane + w.thread_x(l) * side_ + w.thread_y(l));
    });
    co_yield w.exit(exit);
  }

  std::uint64_t side_, kernel_, pad_, features_;
  std::uint64_t bias_, input_, weights_, output_;
};

}  // namespace

extern const Workload workload_convolution_layer;
const Workload workload_convolution_layer{
    "convolution_layer",
    "a direct convolution layer of stride 1 as in AlexNet, one CTA an output, one thread a pixel",
    "Tango",
    "GPU/AlexNet/an_kernel.cu: execute3DconvolutionCuda",
    {{"DC-L1 thesis", "T-AlexNet, T-ResNet, T-SqueezeNet", "replication-sensitive"}},
    {{"outputs", 64, 1, 4096, "features of the output, a CTA each"},
     {"size", 13, 1, 32, "rows and columns of a feature"},
     {"kernel", 3, 1, 11, "rows and columns of the filter"},
     {"pad", 1, 0, 10, "rows and columns around the input"},
     {"features", 192, 1, 4096, "of the input"}},
    make_program<ConvolutionLayer>,
    nullptr,
    "a serial program of the same loops"};

}  // namespace golden
