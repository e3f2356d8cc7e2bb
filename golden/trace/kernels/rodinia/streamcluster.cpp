// streamcluster of Rodinia.
#include "golden/trace/kernels/random.h"
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class Streamcluster : public FixedProgram {
 public:
  static constexpr std::uint32_t threads = 512, idle = 14, exit = 127, first = 38, branch = 65,
                                 rest_first = 78, rest_branch = 87, loops_end = 88;
  static constexpr std::uint32_t switching = 99, staying = 113;  // where the two ways begin

  explicit Streamcluster(const Sizes& sizes)
      : FixedProgram(sizes),
        points_(sizes["points"]),
        dimensions_(sizes["dimensions"]),
        seed_(sizes["seed"]) {
    allocate(points_ * 44 + 44);  // of the host's own points
    table_ = allocate(points_ * word);
    switched_ = allocate(points_);
    point_ = allocate(points_ * point_bytes);
    coordinates_ = allocate(points_ * dimensions_ * word);
    for (std::uint64_t i = 0; i < sizes["launches"]; ++i) {
      const std::uint64_t work = allocate(points_ * 2 * word);
      launch({"kernel_compute_cost", {ceiling(points_, threads), 1, 1}, {threads, 1, 1}},
             [this, i, work](const Warp& w) { return cost(w, i, work); });
    }
  }

 private:
  static constexpr std::uint64_t point_bytes = 32, assign_at = 16, cost_at = 24;

  // Drawn: the point that may become a center, the center of all, and which points are nearer to the new one.
  std::uint64_t draw(std::uint64_t launch, std::uint64_t what) const {
    return random_bits(seed_, launch * (points_ + 2) + what);
  }

  // The distance of each point to the new center; what is saved if it changes to it, or what others lose.
  Accesses cost(Warp w, std::uint64_t launch, std::uint64_t work) const {
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.x(l) < points_; });
    const auto nearer = Warp::where(lanes, [&](int l) { return draw(launch, w.x(l) + 2) % 2; });
    const std::uint64_t center = draw(launch, 0) % points_, old = draw(launch, 1) % points_;
    const auto element = Warp::lanes([&](int l) { return word * w.x(l); });
    const auto point = Warp::lanes([&](int l) { return point_ + point_bytes * w.x(l); });
    const auto lower = Warp::lanes([&](int l) { return work + 2 * word * w.x(l); });
    if (lanes == 0) {
      w.jump(idle, exit);
      co_yield w.exit(exit);
      co_return;
    }
    const std::uint64_t whole = dimensions_ / 4 * 4;
    static constexpr std::uint32_t unrolled[] = {42, 48, 54, 62};
    if (whole == 0) w.jump(first - 1, branch + 1);
    for (std::uint64_t i = 0; i < dimensions_; ++i) {
      const std::uint32_t pc = i < whole ? unrolled[i % 4] : 81;
      const std::uint64_t row = coordinates_ + word * i * points_;
      co_yield w.load(pc, lanes, word, [&](int) { return row + word * center; });
      co_yield w.load(pc + 1, lanes, word, At{element, row});
      if (i % 4 == 3 && i + 1 < whole) w.jump(branch, first);
      if (i >= whole && i + 1 < dimensions_) w.jump(rest_branch, rest_first);
    }
    if (whole == dimensions_) w.jump(branch + 3, loops_end);
    co_yield w.load(94, lanes, word, At{point});
    co_yield w.load(96, lanes, word, At{point, cost_at});
    if (const std::uint32_t far = lanes & ~nearer) {
      w.jump(98, staying);
      co_yield w.load(115, far, 8, At{point, assign_at});
      co_yield w.load(119, far, word, [&](int) { return table_ + word * old; });
      co_yield w.load(123, far, word, At{lower});
      co_yield w.store(125, far, word, At{lower});
      if (nearer) w.jump(126, switching);
    }
    if (nearer) {
      co_yield w.store(103, nearer, 1, [&](int l) { return switched_ + w.x(l); });
      co_yield w.load(104, nearer, word, At{point, cost_at});
      co_yield w.load(110, nearer, word, At{lower, word});
      co_yield w.store(112, nearer, word, At{lower, word});
      w.jump(112, exit);
    }
    co_yield w.exit(exit);
  }

  std::uint64_t points_, dimensions_, seed_, table_, switched_, point_, coordinates_;
};

}  // namespace

extern const Workload workload_streamcluster;
const Workload workload_streamcluster{
    "streamcluster",
    "what a new center would save, a launch a candidate, one thread a point; candidates are drawn",
    "Rodinia",
    "cuda/streamcluster/streamcluster_cuda.cu: kernel_compute_cost",
    {{"TSC", "streamcluster", "CLP"}, {"DC-L1 thesis", "R-SC"}, {"ACI thesis", "SC", "conflicting; medium"}},
    {{"points", 16384, 1, 1 << 20, "points"},
     {"dimensions", 128, 1, 1024, "of a point"},
     {"launches", 2, 1, 1000, "candidates"},
     {"seed", 1, 0, 1u << 31, "of the draws"}},
    make_program<Streamcluster>,
    nullptr,
    "recording: distances record by record, the rest by structure"};

}  // namespace golden
