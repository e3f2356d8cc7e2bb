// Generated graphs, the same on every machine.
#pragma once
#include <vector>

#include "golden/trace/kernels/random.h"

namespace golden {

// A directed graph as bfs keeps it: the edges of node n are those from start[n] to start[n + 1].
struct Graph {
  std::vector<std::uint32_t> start, edges;
};

// R-MAT (Chakrabarti, Zhan, Faloutsos 2004) with a, b, c, d of Graph500: 0.57, 0.19, 0.19, 0.05.
inline std::pair<std::uint32_t, std::uint32_t> rmat_edge(std::uint64_t seed, std::uint64_t edge, int scale) {
  std::uint32_t from = 0, to = 0;
  for (int bit = 0; bit < scale; ++bit) {
    const std::uint64_t draw = random_bits(seed, edge * 32 + static_cast<std::uint64_t>(bit)) % 100;
    from = from << 1 | (draw >= 76);
    to = to << 1 | (draw >= 95 || (draw >= 57 && draw < 76));
  }
  return {from, to};
}

inline Graph rmat(int scale, std::uint64_t edges, std::uint64_t seed) {
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

}  // namespace golden
