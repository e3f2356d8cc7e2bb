// bfs of Rodinia.
#include "golden/trace/kernels/graph.h"
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class Bfs : public Program {
 public:
  explicit Bfs(const Sizes& sizes)
      : Program(sizes),
        nodes_(std::uint64_t{1} << sizes["scale"]),
        first_(sizes["first"]),
        levels_(sizes["levels"]),
        graph_(rmat(static_cast<int>(sizes["scale"]), nodes_ * sizes["edges"], sizes["seed"])),
        mask_(nodes_),
        updating_(nodes_),
        visited_(nodes_) {
    nodes_at_ = allocate(nodes_ * 2 * word);
    edges_at_ = allocate(graph_.edges.size() * word);
    mask_at_ = allocate(nodes_);
    updating_at_ = allocate(nodes_);
    visited_at_ = allocate(nodes_);
    cost_at_ = allocate(nodes_ * word);
    over_at_ = allocate(1);
    mask_[0] = visited_[0] = true;  // the search starts at node 0
  }

  // Kernel and Kernel2 in turn until a level finds no new node.
  std::optional<KernelLaunch> next_launch() override {
    for (;;) {
      const std::uint64_t level = step_ / 2;
      const bool second = step_ % 2 == 1;
      if (level >= first_ + levels_ || (!second && level > 0 && !over_)) return std::nullopt;
      if (!second) over_ = false;
      ++step_;
      const std::array<std::uint32_t, 3> grid{ceiling(nodes_, threads), 1, 1}, block{threads, 1, 1};
      KernelLaunch launch =
          second ? KernelLaunch{{"Kernel2", grid, block}, [this](const Warp& w) { return settle(w); }}
                 : KernelLaunch{{"Kernel", grid, block}, [this](const Warp& w) { return visit(w); }};
      if (level >= first_) return launch;
      run(launch);
    }
  }

 private:
  static constexpr std::uint32_t threads = 512;

  static void run(const KernelLaunch& launch) {
    for (std::uint32_t cta = 0; cta < launch.kernel.ctas(); ++cta)
      for (std::uint16_t warp = 0; warp < launch.kernel.warps_per_cta(); ++warp) {
        Accesses accesses = launch.warp(Warp(launch.kernel, cta, warp));
        for (Record passed; accesses.next(passed);) continue;
      }
  }

  // Marks the neighbours of this level's nodes that have not been visited.
  Accesses visit(Warp w) {
    const auto inside = Warp::where(w.active(), [&](int l) { return w.x(l) < nodes_; });
    co_yield w.load(17, inside, 1, [&](int l) { return mask_at_ + w.x(l); });
    const auto lanes = Warp::where(inside, [&](int l) { return mask_[w.x(l)]; });
    if (lanes == 0) {
      w.jump(19, 59);
      co_yield w.exit(59);
      co_return;
    }
    co_yield w.store(21, lanes, 1, [&](int l) { return mask_at_ + w.x(l); });
    for (int l = 0; l < 32; ++l)
      if (lanes >> l & 1) mask_[w.x(l)] = false;
    const auto starting = [&](int l) { return nodes_at_ + 2 * word * w.x(l); };
    const auto no_of_edges = [&](int l) { return starting(l) + word; };
    co_yield w.load(26, lanes, word, no_of_edges);
    const auto edge = [&](int l, std::uint64_t i) { return graph_.start[w.x(l)] + i; };
    auto loop = Warp::where(lanes, [&](int l) { return edge(l, 0) < graph_.start[w.x(l) + 1]; });
    if (loop == 0) w.jump(29, 56);
    co_yield w.load(31, loop, word, starting);
    for (std::uint64_t i = 0; loop; ++i) {
      const auto neighbour = [&](int l) { return graph_.edges[edge(l, i)]; };
      co_yield w.load(38, loop, word, [&](int l) { return edges_at_ + word * edge(l, i); });
      co_yield w.load(40, loop, 1, [&](int l) { return visited_at_ + neighbour(l); });
      const auto fresh = Warp::where(loop, [&](int l) { return !visited_[neighbour(l)]; });
      if (fresh == 0) w.jump(42, 53);
      co_yield w.load(43, fresh, word, [&](int l) { return cost_at_ + word * w.x(l); });
      co_yield w.store(47, fresh, word, [&](int l) { return cost_at_ + word * neighbour(l); });
      co_yield w.store(50, fresh, 1, [&](int l) { return updating_at_ + neighbour(l); });
      for (int l = 0; l < 32; ++l)
        if (fresh >> l & 1) updating_[neighbour(l)] = true;
      co_yield w.load(51, fresh, word, no_of_edges);
      co_yield w.load(52, fresh, word, starting);
      loop = Warp::where(loop, [&](int l) { return edge(l, i + 1) < graph_.start[w.x(l) + 1]; });
      if (loop) w.jump(55, 36);
    }
    w.jump(56, 58);
    co_yield w.exit(59);
  }

  // Makes the marked nodes the next level's.
  Accesses settle(Warp w) {
    const auto inside = Warp::where(w.active(), [&](int l) { return w.x(l) < nodes_; });
    co_yield w.load(15, inside, 1, [&](int l) { return updating_at_ + w.x(l); });
    const auto lanes = Warp::where(inside, [&](int l) { return updating_[w.x(l)]; });
    if (lanes == 0) w.jump(17, 29);
    co_yield w.store(20, lanes, 1, [&](int l) { return mask_at_ + w.x(l); });
    co_yield w.store(23, lanes, 1, [&](int l) { return visited_at_ + w.x(l); });
    co_yield w.store(25, lanes, 1, [&](int) { return over_at_; });
    co_yield w.store(27, lanes, 1, [&](int l) { return updating_at_ + w.x(l); });
    for (int l = 0; l < 32; ++l) {
      if (!(lanes >> l & 1)) continue;
      mask_[w.x(l)] = visited_[w.x(l)] = over_ = true;
      updating_[w.x(l)] = false;
    }
    co_yield w.exit(29);
  }

  std::uint64_t nodes_, first_, levels_;
  Graph graph_;
  std::vector<bool> mask_, updating_, visited_;
  bool over_ = false;
  std::uint64_t step_ = 0;
  std::uint64_t nodes_at_, edges_at_, mask_at_, updating_at_, visited_at_, cost_at_, over_at_;
};

}  // namespace

extern const Workload workload_bfs;
const Workload workload_bfs{
    "bfs",
    "breadth-first search level by level on a generated RMAT graph, one thread a node",
    "Rodinia",
    "cuda/bfs/kernel.cu and kernel2.cu: Kernel, Kernel2",
    {{"TSC", "bfs", "CLN"},
     {"BUCL", "BFS", "un-coalesced; 460,115,486 instructions"},
     {"DC-L1 thesis", "C-BFS", "replication-sensitive"},
     {"ACI thesis", "BFS", "thrashing; short"}},
    {{"scale", 14, 1, 20, "log2 of the nodes"},
     {"edges", 16, 1, 32, "edges for each node"},
     {"first", 0, 0, 1000, "first level to show"},
     {"levels", 1000, 1, 1000, "levels to show at most"},
     {"seed", 1, 0, 1u << 31, "of the graph"}},
    make_program<Bfs>,
    nullptr,
    "a search of the generated graph, edge by edge"};

}  // namespace golden
