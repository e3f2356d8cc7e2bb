// ATAX, GEMM, SYRK and 2DCONV of PolyBench/GPU, accesses in the order in which nvcc compiles them: inner
// loops unrolled by four, the sum stored in every step.
#include "golden/trace/kernels/program.h"

namespace golden {

namespace {

// Instruction numbers of an inner loop: of its four unrolled steps, then of the steps left over.
struct LoopPcs {
  std::array<std::array<std::uint32_t, 3>, 4> unrolled;
  std::array<std::uint32_t, 3> rest;

  const std::array<std::uint32_t, 3>& operator()(std::uint64_t step, std::uint64_t steps) const {
    return step < steps / 4 * 4 ? unrolled[step % 4] : rest;
  }
};

void check_block(const Sizes& sizes) {
  if (sizes["block_x"] * sizes["block_y"] > 1024) sizes.fail("block_x * block_y is above 1024 threads");
}

class Atax : public FixedProgram {
 public:
  explicit Atax(const Sizes& sizes) : nx_(sizes["nx"]), ny_(sizes["ny"]) {
    check_block(sizes);
    DeviceMemory memory(sizes);
    a_ = memory.allocate(nx_ * ny_ * word);
    x_ = memory.allocate(ny_ * word);
    y_ = memory.allocate(ny_ * word);
    tmp_ = memory.allocate(nx_ * word);
    const std::array<std::uint32_t, 3> block{sizes.u32("block_x"), sizes.u32("block_y"), 1};
    const std::uint64_t only = sizes["kernel"];
    if (only != 2)
      launches_.push_back({{"atax_kernel1", {ceiling(nx_, block[0]), 1, 1}, block},
                           [this](Warp warp) { return rows(warp); }});
    if (only != 1)
      launches_.push_back({{"atax_kernel2", {ceiling(ny_, block[0]), 1, 1}, block},
                           [this](Warp warp) { return columns(warp); }});
  }

 private:
  static constexpr LoopPcs pcs{{{{33, 34, 36}, {37, 38, 40}, {41, 42, 44}, {45, 46, 48}}}, {63, 64, 66}};

  // tmp[i] = sum over j of A[i][j] * x[j]
  Accesses rows(Warp w) const {
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.x(l) < nx_; });
    const auto tmp = [&](int l) { return tmp_ + word * w.x(l); };
    co_yield w.store(17, lanes, word, tmp);
    for (std::uint64_t j = 0; j < ny_; ++j) {
      const auto& pc = pcs(j, ny_);
      co_yield w.load(pc[0], lanes, word, [&](int) { return x_ + word * j; });
      co_yield w.load(pc[1], lanes, word, [&](int l) { return a_ + word * (w.x(l) * ny_ + j); });
      co_yield w.store(pc[2], lanes, word, tmp);
    }
  }

  // y[j] = sum over i of A[i][j] * tmp[i]
  Accesses columns(Warp w) const {
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.x(l) < ny_; });
    const auto y = [&](int l) { return y_ + word * w.x(l); };
    co_yield w.store(17, lanes, word, y);
    for (std::uint64_t i = 0; i < nx_; ++i) {
      const auto& pc = pcs(i, nx_);
      co_yield w.load(pc[0], lanes, word, [&](int) { return tmp_ + word * i; });
      co_yield w.load(pc[1], lanes, word, [&](int l) { return a_ + word * (i * ny_ + w.x(l)); });
      co_yield w.store(pc[2], lanes, word, y);
    }
  }

  std::uint64_t nx_, ny_, a_, x_, y_, tmp_;
};

class Gemm : public FixedProgram {
 public:
  explicit Gemm(const Sizes& sizes) : ni_(sizes["ni"]), nj_(sizes["nj"]), nk_(sizes["nk"]) {
    check_block(sizes);
    DeviceMemory memory(sizes);
    a_ = memory.allocate(ni_ * nk_ * word);
    b_ = memory.allocate(nk_ * nj_ * word);
    c_ = memory.allocate(ni_ * nj_ * word);
    const std::array<std::uint32_t, 3> block{sizes.u32("block_x"), sizes.u32("block_y"), 1};
    launches_.push_back({{"gemm_kernel", {ceiling(nj_, block[0]), ceiling(ni_, block[1]), 1}, block},
                         [this](Warp warp) { return element(warp); }});
  }

 private:
  static constexpr LoopPcs pcs{{{{46, 49, 51}, {52, 54, 56}, {57, 59, 61}, {62, 64, 66}}}, {83, 85, 87}};

  Accesses element(Warp w) const {
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.y(l) < ni_ && w.x(l) < nj_; });
    const auto c = [&](int l) { return c_ + word * (w.y(l) * nj_ + w.x(l)); };
    co_yield w.load(27, lanes, word, c);
    co_yield w.store(29, lanes, word, c);
    for (std::uint64_t k = 0; k < nk_; ++k) {
      const auto& pc = pcs(k, nk_);
      co_yield w.load(pc[0], lanes, word, [&](int l) { return a_ + word * (w.y(l) * nk_ + k); });
      co_yield w.load(pc[1], lanes, word, [&](int l) { return b_ + word * (k * nj_ + w.x(l)); });
      co_yield w.store(pc[2], lanes, word, c);
    }
  }

  std::uint64_t ni_, nj_, nk_, a_, b_, c_;
};

class Syrk : public FixedProgram {
 public:
  explicit Syrk(const Sizes& sizes) : ni_(sizes["ni"]), nj_(sizes["nj"]) {
    check_block(sizes);
    DeviceMemory memory(sizes);
    a_ = memory.allocate(ni_ * nj_ * word);
    c_ = memory.allocate(ni_ * ni_ * word);
    const std::array<std::uint32_t, 3> block{sizes.u32("block_x"), sizes.u32("block_y"), 1};
    launches_.push_back({{"syrk_kernel", {ceiling(ni_, block[0]), ceiling(ni_, block[1]), 1}, block},
                         [this](Warp warp) { return element(warp); }});
  }

 private:
  static constexpr LoopPcs pcs{{{{45, 48, 50}, {52, 55, 57}, {58, 60, 62}, {63, 65, 67}}}, {82, 84, 86}};

  Accesses element(Warp w) const {
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.y(l) < ni_ && w.x(l) < ni_; });
    const auto c = [&](int l) { return c_ + word * (w.y(l) * ni_ + w.x(l)); };
    co_yield w.load(24, lanes, word, c);
    co_yield w.store(26, lanes, word, c);
    for (std::uint64_t k = 0; k < nj_; ++k) {
      const auto& pc = pcs(k, nj_);
      co_yield w.load(pc[0], lanes, word, [&](int l) { return a_ + word * (w.y(l) * nj_ + k); });
      co_yield w.load(pc[1], lanes, word, [&](int l) { return a_ + word * (w.x(l) * nj_ + k); });
      co_yield w.store(pc[2], lanes, word, c);
    }
  }

  std::uint64_t ni_, nj_, a_, c_;
};

class Convolution : public FixedProgram {
 public:
  explicit Convolution(const Sizes& sizes) : ni_(sizes["ni"]), nj_(sizes["nj"]) {
    check_block(sizes);
    DeviceMemory memory(sizes);
    a_ = memory.allocate(ni_ * nj_ * word);
    b_ = memory.allocate(ni_ * nj_ * word);
    const std::array<std::uint32_t, 3> block{sizes.u32("block_x"), sizes.u32("block_y"), 1};
    launches_.push_back({{"convolution2D_kernel", {ceiling(nj_, block[0]), ceiling(ni_, block[1]), 1}, block},
                         [this](Warp warp) { return pixel(warp); }});
  }

 private:
  // All pixels but those of the border.
  Accesses pixel(Warp w) const {
    static constexpr std::uint32_t pcs[] = {29, 30, 33, 35, 39, 41, 43, 45, 47};
    const auto inside = [](std::uint64_t at, std::uint64_t size) { return at > 0 && at + 1 < size; };
    const auto lanes =
        Warp::where(w.active(), [&](int l) { return inside(w.y(l), ni_) && inside(w.x(l), nj_); });
    for (std::uint64_t tap = 0; tap < 9; ++tap)
      co_yield w.load(pcs[tap], lanes, word, [&](int l) {
        return a_ + word * ((w.y(l) + tap / 3 - 1) * nj_ + w.x(l) + tap % 3 - 1);
      });
    co_yield w.store(50, lanes, word, [&](int l) { return b_ + word * (w.y(l) * nj_ + w.x(l)); });
  }

  std::uint64_t ni_, nj_, a_, b_;
};

}  // namespace

std::unique_ptr<Program> make_atax(const Sizes& sizes) { return std::make_unique<Atax>(sizes); }
std::unique_ptr<Program> make_gemm(const Sizes& sizes) { return std::make_unique<Gemm>(sizes); }
std::unique_ptr<Program> make_syrk(const Sizes& sizes) { return std::make_unique<Syrk>(sizes); }
std::unique_ptr<Program> make_convolution(const Sizes& sizes) { return std::make_unique<Convolution>(sizes); }

}  // namespace golden
