// kmeans of Rodinia: the clustering.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class KmeansCluster : public FixedProgram {
 public:
  static constexpr std::uint32_t threads = 256, idle = 16, exit = 142;
  // Loops over clusters and, unrolled by four, over features.
  static constexpr std::uint32_t head = 29, first = 43, branch = 66, rest = 74, tail = 115, back = 132;

  explicit KmeansCluster(const Sizes& sizes)
      : FixedProgram(sizes),
        points_(sizes["points"]),
        features_(sizes["features"]),
        clusters_(sizes["clusters"]) {
    allocate(points_ * features_ * word);
    flipped_ = allocate(points_ * features_ * word);
    membership_ = allocate(points_ * word);
    allocate(clusters_ * features_ * word);  // of constant memory
    std::uint32_t side = 1;
    while (std::uint64_t{side} * side < ceiling(points_, threads)) ++side;
    for (std::uint64_t i = 0; i < sizes["iterations"]; ++i)
      launch({"kmeansPoint", {side, side, 1}, {threads, 1, 1}}, [this](const Warp& w) { return point(w); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t points = sizes["points"], features = sizes["features"], clusters = sizes["clusters"];
    std::uint64_t side = 1;
    while (side * side * threads < points) ++side;
    const std::uint64_t all = side * side * threads / 32, working = (points + 31) / 32;
    const std::uint64_t cluster = first - head + features / 4 * (branch - first + 1) + rest - branch - 1 +
                                  features % 4 * 9 + back - tail + 1;
    return {sizes["iterations"] * working * (clusters * features + 1),
            sizes["iterations"] *
                (working * (head + clusters * cluster + exit - back) + (all - working) * (idle + 2)),
            lines_of(points * features * word) + lines_of(points * word)};
  }

 private:
  // Its distance to every cluster, feature by feature; the centers are in constant memory.
  Accesses point(Warp w) const {
    static constexpr std::uint32_t unrolled[] = {47, 52, 57, 63}, left_over[] = {82, 91, 99};
    const auto place = [&](int l) { return std::uint64_t{w.cta()} * threads + w.thread_x(l); };
    const auto lanes = Warp::where(w.active(), [&](int l) { return place(l) < points_; });
    const auto at = Warp::lanes([&](int l) { return word * place(l); });
    const std::uint64_t whole = features_ / 4 * 4;
    if (lanes == 0) w.jump(idle, exit);
    for (std::uint64_t cluster = 0; lanes && cluster < clusters_; ++cluster) {
      if (whole == 0) w.jump(first - 1, branch + 1);
      for (std::uint64_t i = 0; i < features_; ++i) {
        co_yield w.load(i < whole ? unrolled[i % 4] : left_over[i - whole], lanes, word,
                        At{at, flipped_ + word * i * points_});
        if (i % 4 == 3 && i + 1 < whole) w.jump(branch, first);
      }
      finish_features(w, features_ - whole);
      if (cluster + 1 < clusters_) w.jump(back, head);
    }
    co_yield w.store(140, lanes, word, At{at, membership_});
    co_yield w.exit(exit);
  }

  // Nine instructions for each feature left over.
  static void finish_features(Warp& w, std::uint64_t left_over) {
    static constexpr std::uint32_t behind[] = {rest, 83, 92, 100};
    w.jump(behind[left_over] - 1, tail);
    w.run(static_cast<std::uint32_t>(rest + 9 * left_over) - behind[left_over]);
  }

  std::uint64_t points_, features_, clusters_, flipped_, membership_;
};

}  // namespace

extern const Workload workload_kmeans_cluster;
const Workload workload_kmeans_cluster{"kmeans_cluster",
                                       "assigns points to their nearest cluster, one thread a point",
                                       "Rodinia",
                                       "cuda/kmeans/kmeans_cuda_kernel.cu: kmeansPoint",
                                       {{"TSC", "kmeans", "CLN"},
                                        {"DC-L1 thesis", "C-Kmeans", "private-friendly"},
                                        {"ACI thesis", "KM", "thrashing; medium"}},
                                       {{"points", 60000, 1, 1 << 24, "points"},
                                        {"features", 34, 1, 4096, "features of a point"},
                                        {"clusters", 5, 1, 4096, "clusters"},
                                        {"iterations", 1, 1, 1000, "launches"}},
                                       make_program<KmeansCluster>,
                                       KmeansCluster::counts,
                                       "recording, record by record"};

}  // namespace golden
