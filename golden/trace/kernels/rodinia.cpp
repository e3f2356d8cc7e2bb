// kmeans' invert_mapping, bfs and nw (Needleman-Wunsch) of Rodinia.
#include <vector>

#include "golden/trace/kernels/program.h"
#include "golden/trace/kernels/random.h"

namespace golden {

namespace {

class InvertMapping : public FixedProgram {
 public:
  explicit InvertMapping(const Sizes& sizes) : points_(sizes["points"]), features_(sizes["features"]) {
    DeviceMemory memory(sizes);
    input_ = memory.allocate(points_ * features_ * word);
    output_ = memory.allocate(points_ * features_ * word);
    // The program rounds its CTAs up to a square.
    std::uint32_t side = 1;
    while (std::uint64_t{side} * side < ceiling(points_, threads)) ++side;
    launches_.push_back({{"invert_mapping", {side * side, 1, 1}, {threads, 1, 1}},
                         [this](Warp warp) { return point(warp); }});
  }

 private:
  static constexpr std::uint32_t threads = 256;

  Accesses point(Warp w) const {
    static constexpr std::uint32_t unrolled[4][2] = {{28, 29}, {30, 32}, {33, 35}, {36, 39}},
                                   rest[2] = {54, 55};
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.x(l) < points_; });
    for (std::uint64_t i = 0; i < features_; ++i) {
      const auto& pc = i < features_ / 4 * 4 ? unrolled[i % 4] : rest;
      co_yield w.load(pc[0], lanes, word, [&](int l) { return input_ + word * (w.x(l) * features_ + i); });
      co_yield w.store(pc[1], lanes, word, [&](int l) { return output_ + word * (points_ * i + w.x(l)); });
    }
  }

  std::uint64_t points_, features_, input_, output_;
};

// A directed graph as bfs keeps it: the edges of node n are those from start[n] to start[n + 1].
struct Graph {
  std::vector<std::uint32_t> start, edges;
};

// R-MAT (Chakrabarti, Zhan, Faloutsos 2004) with a, b, c, d of Graph500: 0.57, 0.19, 0.19, 0.05.
std::pair<std::uint32_t, std::uint32_t> rmat_edge(std::uint64_t seed, std::uint64_t edge, int scale) {
  std::uint32_t from = 0, to = 0;
  for (int bit = 0; bit < scale; ++bit) {
    const std::uint64_t draw = random_bits(seed, edge * 32 + static_cast<std::uint64_t>(bit)) % 100;
    from = from << 1 | (draw >= 76);
    to = to << 1 | (draw >= 95 || (draw >= 57 && draw < 76));
  }
  return {from, to};
}

Graph rmat(int scale, std::uint64_t edges, std::uint64_t seed) {
  Graph graph;
  graph.start.resize((std::size_t{1} << scale) + 1);
  graph.edges.resize(edges);
  for (std::uint64_t e = 0; e < edges; ++e) ++graph.start[rmat_edge(seed, e, scale).first + 1];
  for (std::size_t n = 1; n < graph.start.size(); ++n) graph.start[n] += graph.start[n - 1];
  std::vector<std::uint32_t> next(graph.start.begin(), graph.start.end() - 1);
  for (std::uint64_t e = 0; e < edges; ++e) {
    const auto [from, to] = rmat_edge(seed, e, scale);
    graph.edges[next[from]++] = to;
  }
  return graph;
}

class Bfs : public Program {
 public:
  explicit Bfs(const Sizes& sizes)
      : nodes_(std::uint64_t{1} << sizes["scale"]),
        first_(sizes["first"]),
        levels_(sizes["levels"]),
        graph_(rmat(static_cast<int>(sizes["scale"]), nodes_ * sizes["edges"], sizes["seed"])),
        mask_(nodes_),
        updating_(nodes_),
        visited_(nodes_) {
    DeviceMemory memory(sizes);
    nodes_at_ = memory.allocate(nodes_ * 2 * word);
    edges_at_ = memory.allocate(graph_.edges.size() * word);
    mask_at_ = memory.allocate(nodes_);
    updating_at_ = memory.allocate(nodes_);
    visited_at_ = memory.allocate(nodes_);
    cost_at_ = memory.allocate(nodes_ * word);
    over_at_ = memory.allocate(1);
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
      KernelLaunch launch = second
                                ? KernelLaunch{{"Kernel2", grid, block}, [this](Warp w) { return settle(w); }}
                                : KernelLaunch{{"Kernel", grid, block}, [this](Warp w) { return visit(w); }};
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
        while (accesses.next()) continue;
      }
  }

  // Marks the neighbours of this level's nodes that have not been visited.
  Accesses visit(Warp w) {
    const auto inside = Warp::where(w.active(), [&](int l) { return w.x(l) < nodes_; });
    co_yield w.load(17, inside, 1, [&](int l) { return mask_at_ + w.x(l); });
    const auto lanes = Warp::where(inside, [&](int l) { return mask_[w.x(l)]; });
    co_yield w.store(21, lanes, 1, [&](int l) { return mask_at_ + w.x(l); });
    for (int l = 0; l < 32; ++l)
      if (lanes >> l & 1) mask_[w.x(l)] = false;
    const auto starting = [&](int l) { return nodes_at_ + 2 * word * w.x(l); };
    const auto no_of_edges = [&](int l) { return starting(l) + word; };
    co_yield w.load(26, lanes, word, no_of_edges);
    const auto edge = [&](int l, std::uint64_t i) { return graph_.start[w.x(l)] + i; };
    auto loop = Warp::where(lanes, [&](int l) { return edge(l, 0) < graph_.start[w.x(l) + 1]; });
    co_yield w.load(31, loop, word, starting);
    for (std::uint64_t i = 0; loop; ++i) {
      const auto neighbour = [&](int l) { return graph_.edges[edge(l, i)]; };
      co_yield w.load(38, loop, word, [&](int l) { return edges_at_ + word * edge(l, i); });
      co_yield w.load(40, loop, 1, [&](int l) { return visited_at_ + neighbour(l); });
      const auto fresh = Warp::where(loop, [&](int l) { return !visited_[neighbour(l)]; });
      co_yield w.load(43, fresh, word, [&](int l) { return cost_at_ + word * w.x(l); });
      co_yield w.store(47, fresh, word, [&](int l) { return cost_at_ + word * neighbour(l); });
      co_yield w.store(50, fresh, 1, [&](int l) { return updating_at_ + neighbour(l); });
      for (int l = 0; l < 32; ++l)
        if (fresh >> l & 1) updating_[neighbour(l)] = true;
      co_yield w.load(51, fresh, word, no_of_edges);
      co_yield w.load(52, fresh, word, starting);
      loop = Warp::where(loop, [&](int l) { return edge(l, i + 1) < graph_.start[w.x(l) + 1]; });
    }
  }

  // Makes the marked nodes the next level's.
  Accesses settle(Warp w) {
    const auto inside = Warp::where(w.active(), [&](int l) { return w.x(l) < nodes_; });
    co_yield w.load(15, inside, 1, [&](int l) { return updating_at_ + w.x(l); });
    const auto lanes = Warp::where(inside, [&](int l) { return updating_[w.x(l)]; });
    co_yield w.store(20, lanes, 1, [&](int l) { return mask_at_ + w.x(l); });
    co_yield w.store(23, lanes, 1, [&](int l) { return visited_at_ + w.x(l); });
    co_yield w.store(25, lanes, 1, [&](int) { return over_at_; });
    co_yield w.store(27, lanes, 1, [&](int l) { return updating_at_ + w.x(l); });
    for (int l = 0; l < 32; ++l) {
      if (!(lanes >> l & 1)) continue;
      mask_[w.x(l)] = visited_[w.x(l)] = over_ = true;
      updating_[w.x(l)] = false;
    }
  }

  std::uint64_t nodes_, first_, levels_;
  Graph graph_;
  std::vector<bool> mask_, updating_, visited_;
  bool over_ = false;
  std::uint64_t step_ = 0;
  std::uint64_t nodes_at_, edges_at_, mask_at_, updating_at_, visited_at_, cost_at_, over_at_;
};

class Needle : public FixedProgram {
 public:
  explicit Needle(const Sizes& sizes) : columns_(sizes["n"] + 1) {
    if (sizes["n"] % tile != 0) sizes.fail("n must be a multiple of 16");
    DeviceMemory memory(sizes);
    reference_ = memory.allocate(columns_ * columns_ * word);
    matrix_ = memory.allocate(columns_ * columns_ * word);
    const std::uint64_t tiles = sizes["n"] / tile;
    for (std::uint64_t i = 1; i <= tiles; ++i)
      add("needle_cuda_shared_1", i, [this, i](Warp w) { return run(w, w.block_x(), i - 1 - w.block_x()); });
    for (std::uint64_t i = tiles - 1; i >= 1; --i)
      add("needle_cuda_shared_2", i,
          [this, i, tiles](Warp w) { return run(w, w.block_x() + tiles - i, tiles - w.block_x() - 1); });
  }

 private:
  static constexpr std::uint64_t tile = 16;

  void add(const char* kernel, std::uint64_t ctas, std::function<Accesses(Warp)> warp) {
    launches_.push_back({{kernel, {static_cast<std::uint32_t>(ctas), 1, 1}, {tile, 1, 1}}, std::move(warp)});
  }

  // The tile of column x and row y: its edges and its scores come to shared memory, which is swept in
  // barriers.
  Accesses run(Warp w, std::uint64_t x, std::uint64_t y) const {
    const std::uint64_t corner = columns_ * tile * y + tile * x;
    const auto lanes = w.active();
    const auto inner = [&](int l, std::uint64_t row) {
      return word * (corner + columns_ + 1 + static_cast<std::uint64_t>(l) + columns_ * row);
    };
    co_yield w.load(20, lanes & 1, word, [&](int) { return matrix_ + word * corner; });
    for (std::uint64_t row = 0; row < tile; ++row)
      co_yield w.load(static_cast<std::uint32_t>(30 + row), lanes, word,
                      [&](int l) { return reference_ + inner(l, row); });
    co_yield w.barrier(50);
    co_yield w.load(55, lanes, word, [&](int l) {
      return matrix_ + word * (corner + columns_ + columns_ * static_cast<std::uint64_t>(l));
    });
    co_yield w.barrier(57);
    co_yield w.load(60, lanes, word,
                    [&](int l) { return matrix_ + word * (corner + 1 + static_cast<std::uint64_t>(l)); });
    co_yield w.barrier(62);
    for (std::uint64_t sweep = 0; sweep < 2 * tile - 1; ++sweep) co_yield w.barrier(sweep < tile ? 80 : 100);
    for (std::uint64_t row = 0; row < tile; ++row)
      co_yield w.store(static_cast<std::uint32_t>(110 + row), lanes, word,
                       [&](int l) { return matrix_ + inner(l, row); });
  }

  std::uint64_t columns_, reference_, matrix_;
};

}  // namespace

std::unique_ptr<Program> make_invert_mapping(const Sizes& sizes) {
  return std::make_unique<InvertMapping>(sizes);
}
std::unique_ptr<Program> make_bfs(const Sizes& sizes) { return std::make_unique<Bfs>(sizes); }
std::unique_ptr<Program> make_needle(const Sizes& sizes) { return std::make_unique<Needle>(sizes); }

}  // namespace golden
