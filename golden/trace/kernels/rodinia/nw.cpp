// nw of Rodinia: Needleman-Wunsch.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

constexpr std::uint64_t nw_tile = 16;

// Where the accesses and barriers of one of the two kernels stand.
struct NwPcs {
  std::uint32_t corner, west, north;
  std::array<std::uint32_t, nw_tile> reference, score;
  std::array<std::uint32_t, 3> loaded;  // barriers behind the references, the west and the north
  std::uint32_t sweep, sweep_step, back, back_step, last_sweeps[2];
  bool corner_late;  // the corner is loaded behind the references
  std::uint32_t exit;

  std::uint32_t barrier(std::uint32_t number) const {
    if (number < nw_tile) return sweep + number * sweep_step;
    if (number < 2 * nw_tile - 3) return back + (number - nw_tile) * back_step;
    return last_sweeps[number - (2 * nw_tile - 3)];
  }
};

constexpr NwPcs nw_first{17,
                         84,
                         92,
                         {25, 32, 38, 41, 44, 47, 50, 53, 56, 59, 62, 65, 68, 71, 74, 77},
                         {531, 535, 539, 542, 545, 548, 551, 554, 557, 560, 563, 566, 569, 572, 575, 578},
                         {79, 88, 98},
                         116,
                         13,
                         323,
                         12,
                         {480, 527},
                         false,
                         580};
constexpr NwPcs nw_second{81,
                          91,
                          99,
                          {20, 28, 33, 36, 39, 42, 45, 48, 51, 54, 57, 60, 63, 66, 69, 72},
                          {515, 519, 523, 526, 529, 532, 535, 538, 541, 544, 547, 550, 553, 556, 559, 562},
                          {74, 95, 105},
                          123,
                          13,
                          330,
                          12,
                          {486, 511},
                          true,
                          564};

class Needle : public FixedProgram {
 public:
  explicit Needle(const Sizes& sizes) : FixedProgram(sizes), columns_(sizes["n"] + 1) {
    const std::uint64_t tiles = sizes["n"] / nw_tile;
    reference_ = allocate(columns_ * columns_ * word);
    matrix_ = allocate(columns_ * columns_ * word);
    for (std::uint64_t i = 1; i <= tiles; ++i)
      add("needle_cuda_shared_1", i,
          [this, i](const Warp& w) { return run(w, nw_first, w.block_x(), i - 1 - w.block_x()); });
    for (std::uint64_t i = tiles - 1; i >= 1; --i)
      add("needle_cuda_shared_2", i, [this, i, tiles](const Warp& w) {
        return run(w, nw_second, w.block_x() + tiles - i, tiles - w.block_x() - 1);
      });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t tiles = sizes["n"] / nw_tile, first = tiles * (tiles + 1) / 2,
                        second = tiles * (tiles - 1) / 2;
    return {tiles * tiles * (2 * nw_tile + 3), first * nw_first.exit + second * nw_second.exit, 0};
  }

 private:
  void add(const char* kernel, std::uint64_t ctas, std::function<Accesses(const Warp&)> warp) {
    KernelInfo info{kernel, {static_cast<std::uint32_t>(ctas), 1, 1}, {nw_tile, 1, 1}};
    info.shared_bytes = 2192;
    launch(std::move(info), std::move(warp));
  }

  // The tile of column x and row y: its edges and its scores come to shared memory, which is swept in
  // barriers.
  Accesses run(Warp w, const NwPcs& pcs, std::uint64_t x, std::uint64_t y) const {
    const std::uint64_t corner = columns_ * nw_tile * y + nw_tile * x;
    const auto lanes = w.active();
    const auto inner = [&](int l, std::uint64_t row) {
      return word * (corner + columns_ + 1 + static_cast<std::uint64_t>(l) + columns_ * row);
    };
    w.jump(0, 2);
    if (!pcs.corner_late) co_yield w.load(pcs.corner, 1, word, [&](int) { return matrix_ + word * corner; });
    for (std::uint64_t row = 0; row < nw_tile; ++row)
      co_yield w.load(pcs.reference[row], lanes, word, [&](int l) { return reference_ + inner(l, row); });
    co_yield w.barrier(pcs.loaded[0]);
    if (pcs.corner_late) co_yield w.load(pcs.corner, 1, word, [&](int) { return matrix_ + word * corner; });
    co_yield w.load(pcs.west, lanes, word, [&](int l) {
      return matrix_ + word * (corner + columns_ + columns_ * static_cast<std::uint64_t>(l));
    });
    co_yield w.barrier(pcs.loaded[1]);
    co_yield w.load(pcs.north, lanes, word,
                    [&](int l) { return matrix_ + word * (corner + 1 + static_cast<std::uint64_t>(l)); });
    co_yield w.barrier(pcs.loaded[2]);
    for (std::uint32_t sweep = 0; sweep < 2 * nw_tile - 1; ++sweep) co_yield w.barrier(pcs.barrier(sweep));
    for (std::uint64_t row = 0; row < nw_tile; ++row)
      co_yield w.store(pcs.score[row], lanes, word, [&](int l) { return matrix_ + inner(l, row); });
    co_yield w.exit(pcs.exit);
  }

  std::uint64_t columns_, reference_, matrix_;
};

}  // namespace

extern const Workload workload_nw;
const Workload workload_nw{"nw",
                           "Needleman-Wunsch, tiles of 16x16 along the diagonals, one warp a tile",
                           "Rodinia",
                           "cuda/nw/needle_kernel.cu: needle_cuda_shared_1, needle_cuda_shared_2",
                           {{"BUCL", "NW", "coherent; 207,696,896 instructions"},
                            {"Decoupled L1D", "NW"},
                            {"ACI thesis", "NW", "streaming; short"}},
                           {{"n", 1024, 16, 16384, "length of both sequences", nw_tile}},
                           make_program<Needle>,
                           Needle::counts,
                           "recordings of both kernels, record by record"};

}  // namespace golden
