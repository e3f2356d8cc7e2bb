// sssp of LonestarGPU: shortest paths by Bellman and Ford, all nodes in each launch.
#include "golden/trace/kernels/graph.h"
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class Sssp : public Program {
 public:
  // Not recorded: a program and a loop of these lengths.
  static constexpr std::uint32_t threads = 1024, idle = 9, exit = 52, first = 18, branch = 45;
  static constexpr std::uint32_t infinite = 1000000000;

  explicit Sssp(const Sizes& sizes)
      : Program(sizes),
        nodes_(std::uint64_t{1} << sizes["scale"]),
        left_(sizes["launches"]),
        seed_(sizes["seed"]),
        graph_(rmat(static_cast<int>(sizes["scale"]), nodes_ * sizes["edges"], seed_)),
        distance_(nodes_, infinite) {
    const std::uint64_t edges = graph_.edges.size();
    targets_at_ = allocate((edges + 1) * word);  // edges count from 1
    weights_at_ = allocate((edges + 1) * word);
    starts_at_ = allocate((nodes_ + 1) * word);
    degrees_at_ = allocate(nodes_ * word);
    numbers_at_ = allocate(nodes_ * word);
    distance_at_ = allocate(nodes_ * word);
    changed_at_ = allocate(1);
    distance_[0] = 0;
  }

  std::optional<KernelLaunch> next_launch() override {
    if (left_ == 0 || !changed_) return std::nullopt;
    --left_;
    changed_ = false;
    return KernelLaunch{{"drelax", {ceiling(nodes_, threads), 1, 1}, {threads, 1, 1}},
                        [this](const Warp& w) { return relax(w); }};
  }

 private:
  std::uint32_t weight(std::uint64_t edge) const {
    return 1 + static_cast<std::uint32_t>(random_bits(seed_ + 1, edge) % 64);
  }

  // Each thread tries the edges of its node. The bounds of the edges are read again for each, since an atomic
  // stands in between.
  Accesses relax(Warp w) {
    const auto inside = Warp::where(w.active(), [&](int l) { return w.x(l) < nodes_; });
    if (inside == 0) {
      w.jump(idle, exit);
      co_yield w.exit(exit);
      co_return;
    }
    const auto node = Warp::lanes([&](int l) { return word * w.x(l); });
    co_yield w.load(14, inside, word, At{node, degrees_at_});
    const auto edge = [&](int l, std::uint64_t i) { return graph_.start[w.x(l)] + i; };
    const auto more = [&](std::uint32_t lanes, std::uint64_t i) {
      return Warp::where(lanes, [&](int l) { return edge(l, i) < graph_.start[w.x(l) + 1]; });
    };
    std::uint32_t improved = 0, loop = more(inside, 0);
    if (loop == 0) w.jump(16, branch + 1);
    for (std::uint64_t i = 0; loop; ++i) {
      co_yield w.load(18, loop, word, At{node, degrees_at_});
      co_yield w.load(21, loop, word, At{node, numbers_at_});
      co_yield w.load(24, loop, word, At{node, starts_at_});
      co_yield w.load(29, loop, word, [&](int l) { return targets_at_ + word * (edge(l, i) + 1); });
      co_yield w.load(32, loop, word, [&](int l) { return weights_at_ + word * (edge(l, i) + 1); });
      co_yield w.load(34, loop, word, At{node, distance_at_});
      const auto target = [&](int l) { return graph_.edges[edge(l, i)]; };
      co_yield w.load(38, loop, word, [&](int l) { return distance_at_ + word * target(l); });
      const auto reached = Warp::lanes(
          [&](int l) { return loop >> l & 1 ? distance_[w.x(l)] + std::uint64_t{weight(edge(l, i))} : 0; });
      const auto shorter = Warp::where(
          loop, [&](int l) { return reached[static_cast<std::size_t>(l)] < distance_[target(l)]; });
      if (shorter == 0) w.jump(40, 43);
      co_yield w.atomic(41, shorter, word, [&](int l) { return distance_at_ + word * target(l); });
      for (int l = 0; l < 32; ++l) {
        const auto length = static_cast<std::uint32_t>(reached[static_cast<std::size_t>(l)]);
        if (!(shorter >> l & 1) || length >= distance_[target(l)]) continue;  // another lane was better
        distance_[target(l)] = length;
        improved |= 1u << l;
      }
      loop = more(loop, i + 1);
      if (loop) w.jump(branch, first);
    }
    if (improved == 0) w.jump(branch + 1, exit);
    co_yield w.store(50, improved, 1, [&](int) { return changed_at_; });
    changed_ |= improved != 0;
    co_yield w.exit(exit);
  }

  std::uint64_t nodes_, left_, seed_;
  Graph graph_;
  std::vector<std::uint32_t> distance_;
  bool changed_ = true;
  std::uint64_t targets_at_, weights_at_, starts_at_, degrees_at_, numbers_at_, distance_at_, changed_at_;
};

}  // namespace

extern const Workload workload_sssp;
const Workload workload_sssp{
    "sssp",
    "shortest paths on a generated RMAT graph, all edges in each launch, one thread a node",
    "LonestarGPU",
    "apps/sssp: drelax, by topology",
    {{"BUCL", "SSSP", "un-coalesced; 518,911,580 instructions"},
     {"Decoupled L1D", "SSSP", "cache-unfriendly; 385,881,828 instructions"}},
    {{"scale", 13, 1, 20, "log2 of the nodes"},
     {"edges", 8, 1, 32, "edges for each node"},
     {"launches", 1000, 1, 1000, "at most, until no path is shorter"},
     {"seed", 1, 0, 1u << 30, "of the graph, and with 1 more of the lengths 1 to 64"}},
    make_program<Sssp>,
    nullptr,
    "a search of the generated graph, launch by launch"};

}  // namespace golden
