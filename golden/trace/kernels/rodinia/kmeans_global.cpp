// kmeans of Rodinia as CCWS and BUCL run it: the clustering with points and centers in global memory.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

// The loops are those of kmeans_cluster; a load of a center stands where that program reads constant memory.
class KmeansGlobal : public FixedProgram {
 public:
  static constexpr std::uint32_t threads = 256, idle = 16, exit = 142;
  static constexpr std::uint32_t head = 29, first = 43, branch = 66, rest = 74, tail = 115, back = 132;

  explicit KmeansGlobal(const Sizes& sizes)
      : FixedProgram(sizes),
        points_(sizes["points"]),
        features_(sizes["features"]),
        clusters_(sizes["clusters"]) {
    features_of_points_ = allocate(points_ * features_ * word);
    membership_ = allocate(points_ * word);
    centers_ = allocate(clusters_ * features_ * word);
    const std::uint32_t side = side_of(points_);
    for (std::uint64_t i = 0; i < sizes["iterations"]; ++i)
      launch({"kmeansPoint", {side, side, 1}, {threads, 1, 1}}, [this](const Warp& w) { return point(w); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t points = sizes["points"], features = sizes["features"], clusters = sizes["clusters"],
                        side = side_of(points);
    const std::uint64_t all = side * side * threads / 32, working = (points + 31) / 32;
    const std::uint64_t cluster = first - head + features / 4 * (branch - first + 1) + rest - branch - 1 +
                                  features % 4 * 9 + back - tail + 1;
    return {
        sizes["iterations"] * working * (2 * clusters * features + 1),
        sizes["iterations"] *
            (working * (head + clusters * cluster + exit - back) + (all - working) * (idle + 2)),
        lines_of(points * features * word) + lines_of(points * word) + lines_of(clusters * features * word)};
  }

 private:
  static std::uint32_t side_of(std::uint64_t points) {
    std::uint32_t side = 1;
    while (std::uint64_t{side} * side < ceiling(points, threads)) ++side;
    return side;
  }

  // Its distance to every center, feature by feature: a point's features lie side by side, so that lanes are
  // a point apart, and all lanes read the same word of the center.
  Accesses point(Warp w) const {
    static constexpr std::uint32_t unrolled[] = {47, 52, 57, 62}, left_over[] = {82, 91, 99},
                                   behind[] = {rest, 83, 92, 100};
    const auto place = [&](int l) { return std::uint64_t{w.cta()} * threads + w.thread_x(l); };
    const auto lanes = Warp::where(w.active(), [&](int l) { return place(l) < points_; });
    const auto at = Warp::lanes([&](int l) { return word * features_ * place(l); });
    const std::uint64_t whole = features_ / 4 * 4, left = features_ - whole;
    if (lanes == 0) w.jump(idle, exit);
    for (std::uint64_t cluster = 0; lanes && cluster < clusters_; ++cluster) {
      if (whole == 0) w.jump(first - 1, branch + 1);
      for (std::uint64_t i = 0; i < features_; ++i) {
        const std::uint32_t pc = i < whole ? unrolled[i % 4] : left_over[i - whole];
        co_yield w.load(pc - 1, lanes, word, At{at, features_of_points_ + word * i});
        co_yield w.load(pc, lanes, word, [&](int) { return centers_ + word * (cluster * features_ + i); });
        if (i % 4 == 3 && i + 1 < whole) w.jump(branch, first);
      }
      w.jump(behind[left] - 1, tail);
      w.run(static_cast<std::uint32_t>(rest + 9 * left) - behind[left]);
      if (cluster + 1 < clusters_) w.jump(back, head);
    }
    co_yield w.store(140, lanes, word, [&](int l) { return membership_ + word * place(l); });
    co_yield w.exit(exit);
  }

  std::uint64_t points_, features_, clusters_, features_of_points_, membership_, centers_;
};

}  // namespace

extern const Workload workload_kmeans_global;
const Workload workload_kmeans_global{
    "kmeans_global",
    "assigns points to their nearest cluster; a point's features lie side by side, centers in global memory",
    "Rodinia",
    "cuda/kmeans/kmeans_cuda_kernel.cu: kmeansPoint, without its textures, transposition and constants",
    {{"BUCL", "KMN", "un-coalesced; 240,945,160 instructions"}},
    {{"points", 8192, 1, 1 << 24, "points"},
     {"features", 34, 1, 4096, "features of a point"},
     {"clusters", 5, 1, 4096, "clusters"},
     {"iterations", 1, 1, 1000, "launches"}},
    make_program<KmeansGlobal>,
    KmeansGlobal::counts,
    "its closed form; BUCL's shares of loads and of accesses (III.B)"};

}  // namespace golden
