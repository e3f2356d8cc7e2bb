// kmeans of Rodinia: the transposition in front of the clustering.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class InvertMapping : public FixedProgram {
 public:
  static constexpr std::uint32_t threads = 256, idle = 13, exit = 62;

  explicit InvertMapping(const Sizes& sizes)
      : FixedProgram(sizes), points_(sizes["points"]), features_(sizes["features"]) {
    input_ = allocate(points_ * features_ * word);
    output_ = allocate(points_ * features_ * word);
    launch({"invert_mapping", {side(points_) * side(points_), 1, 1}, {threads, 1, 1}},
           [this](const Warp& warp) { return point(warp); });
  }

  // The program rounds its CTAs up to a square.
  static std::uint32_t side(std::uint64_t points) {
    std::uint32_t side = 1;
    while (std::uint64_t{side} * side < ceiling(points, threads)) ++side;
    return side;
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t points = sizes["points"], features = sizes["features"];
    const WarpCount warps = count_warps({side(points) * side(points), 1, 1}, {threads, 1, 1}, {0, points});
    const std::uint64_t rest = features % 4;
    const std::uint64_t instructions = 25 + features / 4 * 18 + (rest ? 6 + rest * 9 + 2 : 8);
    return {warps.working * 2 * features, warps.working * instructions + warps.idle() * (idle + 2),
            2 * lines_of(points * features * word)};
  }

 private:
  Accesses point(Warp w) const {
    static constexpr std::uint32_t unrolled[4][2] = {{28, 29}, {30, 32}, {33, 35}, {36, 39}},
                                   rest[2] = {54, 55};
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.x(l) < points_; });
    const auto from = Warp::lanes([&](int l) { return input_ + word * w.x(l) * features_; });
    const auto to = Warp::lanes([&](int l) { return output_ + word * w.x(l); });
    const std::uint64_t whole = features_ / 4 * 4;
    if (lanes == 0) {
      w.jump(idle, exit);
      co_yield w.exit(exit);
      co_return;
    }
    if (whole == 0) w.jump(24, 43);
    for (std::uint64_t i = 0; i < features_; ++i) {
      const auto& pc = i < whole ? unrolled[i % 4] : rest;
      co_yield w.load(pc[0], lanes, word, At{from, word * i});
      co_yield w.store(pc[1], lanes, word, At{to, word * points_ * i});
      if (i + 1 < whole && i % 4 == 3) w.jump(42, 25);
      if (i >= whole && i + 1 < features_) w.jump(57, 49);
    }
    w.jump(whole == features_ ? 49 : 58, exit);
    co_yield w.exit(exit);
  }

  std::uint64_t points_, features_, input_, output_;
};

}  // namespace

extern const Workload workload_kmeans;
const Workload workload_kmeans{
    "kmeans",
    "transposes points x features, one thread a point",
    "Rodinia",
    "cuda/kmeans/kmeans_cuda_kernel.cu: invert_mapping",
    {{"TSC", "kmeans", "CLN"}, {"ACI thesis", "KM", "thrashing; medium"}},
    {{"points", 60000, 1, 1 << 24, "points"}, {"features", 34, 1, 4096, "features of a point"}},
    make_program<InvertMapping>,
    InvertMapping::counts,
    "recording, record by record"};

}  // namespace golden
