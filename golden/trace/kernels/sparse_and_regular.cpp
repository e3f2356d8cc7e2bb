// SpMV and Triad of SHOC, the stencil of Parboil, and the histogram of "CUDA by Example".
#include <vector>

#include "golden/trace/kernels/program.h"
#include "golden/trace/kernels/random.h"

namespace golden {

namespace {

// A matrix of a cube of nodes, each coupled to itself and to its up to 26 neighbours, columns ascending.
class CubeMatrix {
 public:
  explicit CubeMatrix(std::uint64_t side) : side_(side) {
    start_.push_back(0);
    for (std::uint64_t row = 0; row < rows(); ++row) start_.push_back(start_.back() + elements(row));
  }

  std::uint64_t rows() const { return side_ * side_ * side_; }
  std::uint64_t start(std::uint64_t row) const { return start_[row]; }
  std::uint64_t column(std::uint64_t row, std::uint64_t k) const {
    const Range x = near(row % side_), y = near(row / side_ % side_), z = near(row / side_ / side_);
    return ((z.first + k / (x.size * y.size)) * side_ + y.first + k / x.size % y.size) * side_ + x.first +
           k % x.size;
  }

 private:
  struct Range {
    std::uint64_t first, size;
  };
  Range near(std::uint64_t at) const {
    const std::uint64_t first = at > 0 ? at - 1 : 0, last = at + 1 < side_ ? at + 1 : at;
    return {first, last - first + 1};
  }
  std::uint32_t elements(std::uint64_t row) const {
    return static_cast<std::uint32_t>(near(row % side_).size * near(row / side_ % side_).size *
                                      near(row / side_ / side_).size);
  }

  std::uint64_t side_;
  std::vector<std::uint32_t> start_;
};

class Spmv : public FixedProgram {
 public:
  explicit Spmv(const Sizes& sizes) : matrix_(sizes["side"]) {
    DeviceMemory memory(sizes);
    const std::uint64_t elements = matrix_.start(matrix_.rows());
    values_ = memory.allocate(elements * word);
    columns_ = memory.allocate(elements * word);
    starts_ = memory.allocate((matrix_.rows() + 1) * word);
    x_ = memory.allocate(matrix_.rows() * word);
    y_ = memory.allocate(matrix_.rows() * word);
    launches_.push_back(
        {{"spmv_csr_scalar_kernel", {ceiling(matrix_.rows(), threads), 1, 1}, {threads, 1, 1}},
         [this](Warp warp) { return row(warp); }});
  }

 private:
  static constexpr std::uint32_t threads = 128;

  // The steps left over by an unrolling of four come first.
  Accesses row(Warp w) const {
    static constexpr std::uint32_t pcs[5][3] = {
        {35, 38, 39}, {55, 58, 59}, {61, 64, 65}, {67, 70, 71}, {73, 76, 77}};
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.x(l) < matrix_.rows(); });
    co_yield w.load(17, lanes, word, [&](int l) { return starts_ + word * w.x(l); });
    co_yield w.load(18, lanes, word, [&](int l) { return starts_ + word * (w.x(l) + 1); });
    const auto size = [&](int l) { return matrix_.start(w.x(l) + 1) - matrix_.start(w.x(l)); };
    for (std::uint64_t step = 0; step < 3 + 28; ++step) {
      const bool left_over = step < 3;
      const auto k = [&](int l) { return left_over ? step : size(l) % 4 + step - 3; };
      const auto loop =
          Warp::where(lanes, [&](int l) { return left_over ? step < size(l) % 4 : k(l) < size(l); });
      const auto at = [&](int l) { return word * (matrix_.start(w.x(l)) + k(l)); };
      const auto& pc = pcs[left_over ? 0 : 1 + (step - 3) % 4];
      co_yield w.load(pc[0], loop, word, [&](int l) { return columns_ + at(l); });
      co_yield w.load(pc[1], loop, word, [&](int l) { return x_ + word * matrix_.column(w.x(l), k(l)); });
      co_yield w.load(pc[2], loop, word, [&](int l) { return values_ + at(l); });
    }
    co_yield w.store(87, lanes, word, [&](int l) { return y_ + word * w.x(l); });
  }

  CubeMatrix matrix_;
  std::uint64_t values_, columns_, starts_, x_, y_;
};

class Triad : public FixedProgram {
 public:
  explicit Triad(const Sizes& sizes) {
    DeviceMemory memory(sizes);
    const std::uint64_t elements = sizes["elements"];
    const std::uint64_t a = memory.allocate(elements * word), b = memory.allocate(elements * word),
                        c = memory.allocate(elements * word);
    const KernelInfo kernel{"triad", {ceiling(elements, threads), 1, 1}, {threads, 1, 1}};
    for (std::uint64_t i = 0; i < sizes["passes"]; ++i)
      launches_.push_back({kernel, [=](Warp warp) { return sum(warp, elements, a, b, c); }});
  }

 private:
  static constexpr std::uint32_t threads = 128;

  static Accesses sum(Warp w, std::uint64_t elements, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.x(l) < elements; });
    std::uint32_t pc = 12;
    for (const std::uint64_t input : {a, b})
      co_yield w.load(pc++, lanes, word, [&](int l) { return input + word * w.x(l); });
    co_yield w.store(15, lanes, word, [&](int l) { return c + word * w.x(l); });
  }
};

class Stencil : public FixedProgram {
 public:
  explicit Stencil(const Sizes& sizes) : nx_(sizes["nx"]), ny_(sizes["ny"]), nz_(sizes["nz"]) {
    DeviceMemory memory(sizes);
    const std::uint64_t bytes = nx_ * ny_ * nz_ * word;
    const std::uint64_t even = memory.allocate(bytes), odd = memory.allocate(bytes);
    const KernelInfo kernel{"naive_kernel",
                            {static_cast<std::uint32_t>(ny_ - 2), static_cast<std::uint32_t>(nz_ - 2), 1},
                            {static_cast<std::uint32_t>(nx_ - 1), 1, 1}};
    for (std::uint64_t i = 0; i < sizes["iterations"]; ++i)
      launches_.push_back({kernel, [this, from = i % 2 ? odd : even, to = i % 2 ? even : odd](Warp w) {
                             return line(w, from, to);
                           }});
  }

 private:
  Accesses line(Warp w, std::uint64_t from, std::uint64_t to) const {
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.thread_x(l) > 0; });
    const auto at = [&](int l) {
      return word * (w.thread_x(l) + nx_ * (w.block_x() + 1 + ny_ * (w.block_y() + 1)));
    };
    const std::uint64_t row = word * nx_, plane = row * ny_;
    const std::uint64_t neighbours[] = {plane, 0 - plane, row, 0 - row, word, 0 - word, 0};
    std::uint32_t pc = 20;
    for (const std::uint64_t offset : neighbours)
      co_yield w.load(pc++, lanes, word, [&](int l) { return from + at(l) + offset; });
    co_yield w.store(40, lanes, word, [&](int l) { return to + at(l); });
  }

  std::uint64_t nx_, ny_, nz_;
};

class Histogram : public FixedProgram {
 public:
  explicit Histogram(const Sizes& sizes) : bytes_(sizes["bytes"]), seed_(sizes["seed"]) {
    DeviceMemory memory(sizes);
    input_ = memory.allocate(bytes_);
    bins_ = memory.allocate(256 * word);
    launches_.push_back({{"histo_kernel", {sizes.u32("ctas"), 1, 1}, {256, 1, 1}},
                         [this](Warp warp) { return count(warp); }});
  }

 private:
  // Four even draws: a hump in the middle of 0 to 252.
  std::uint64_t value(std::uint64_t at) const {
    const std::uint64_t bits = random_bits(seed_, at);
    return (bits & 63) + (bits >> 6 & 63) + (bits >> 12 & 63) + (bits >> 18 & 63);
  }

  Accesses count(Warp w) const {
    for (std::uint64_t first = 0; first < bytes_; first += w.threads_x()) {
      const auto at = [&](int l) { return first + w.x(l); };
      const auto lanes = Warp::where(w.active(), [&](int l) { return at(l) < bytes_; });
      co_yield w.load(12, lanes, 1, [&](int l) { return input_ + at(l); });
      co_yield w.atomic(15, lanes, word, [&](int l) { return bins_ + word * value(at(l)); });
    }
  }

  std::uint64_t bytes_, seed_, input_, bins_;
};

}  // namespace

std::unique_ptr<Program> make_spmv(const Sizes& sizes) { return std::make_unique<Spmv>(sizes); }
std::unique_ptr<Program> make_triad(const Sizes& sizes) { return std::make_unique<Triad>(sizes); }
std::unique_ptr<Program> make_stencil(const Sizes& sizes) { return std::make_unique<Stencil>(sizes); }
std::unique_ptr<Program> make_histogram(const Sizes& sizes) { return std::make_unique<Histogram>(sizes); }

}  // namespace golden
