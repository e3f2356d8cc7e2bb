// Throughput and latency of a whole mesh under single flits, on its golden routers, and what X-Y routing
// allows: the load at which the link that most flits pass is never idle.
#pragma once
#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "golden/noc/mesh_router.h"

namespace verif {

// Of each node's flits: to any node; to the node with column and row exchanged; to any, but a quarter to one.
enum class MeshPattern { uniform, transpose, hot_spot };

template <hw::MeshRouterParams P>
class MeshLoad {
 public:
  static constexpr int nodes = P.width * P.height, hot_node = P.width * (P.height / 2) + P.width / 2;
  static constexpr double hot_share = 0.25;
  // Flits that leave a node at a port, of all nodes.
  using Links = std::array<std::array<double, hw::mesh_ports>, nodes>;

  struct Result {
    double throughput = 0;  // flits a node and cycle
    double latency = 0;     // cycles from the source queue to the node
    Links links = {};       // flits a cycle
  };

  // How likely a flit from a node goes to another.
  static double share(MeshPattern pattern, int from, int to) {
    switch (pattern) {
      case MeshPattern::uniform:
        return 1.0 / nodes;
      case MeshPattern::transpose:
        return to == from % P.width * P.width + from / P.width ? 1 : 0;
      default:
        return (1 - hot_share) / nodes + (to == hot_node ? hot_share : 0);
    }
  }

  // By routes: flits of each link with one flit a node and cycle.
  static Links expected(MeshPattern pattern) {
    Links links{};
    for (int from = 0; from < nodes; ++from)
      for (int to = 0; to < nodes; ++to)
        for (int at = from;;) {
          const hw::MeshPort out = golden::mesh_route(P.width, at % P.width, at / P.width, to);
          links[index(at)][index(out)] += share(pattern, from, to);
          if (out == hw::mesh_local) break;
          at = neighbour(at, out);
        }
    return links;
  }
  // Flits a node and cycle at which the hottest link is full.
  static double bound(MeshPattern pattern) {
    double most = 0;
    for (const auto& ports : expected(pattern)) most = std::max(most, *std::ranges::max_element(ports));
    return std::min(1.0, 1 / most);
  }

  // `rate`: flits a node and cycle; the first fifth of the cycles does not count.
  static Result run(MeshPattern pattern, double rate, int cycles) {
    return std::make_unique<MeshLoad>(pattern, rate)->run(cycles);
  }

  MeshLoad(MeshPattern pattern, double rate) : pattern_(pattern), rate_(rate), routers_(nodes) {
    for (int n = 0; n < nodes; ++n) routers_[index(n)].reset(n % P.width, n / P.width);
    for (auto& vcs : credits_) vcs.fill(P.vc_flits);
  }

  Result run(int cycles) {
    Result result;
    std::int64_t flits = 0, waited = 0;
    for (now_ = 0; now_ < cycles; ++now_) {
      const bool counts = now_ >= cycles / 5;
      std::vector<typename Router::Outputs> shown;
      for (const Router& router : routers_) shown.push_back(router.outputs());
      for (int n = 0; n < nodes; ++n)
        for (int port = 0; counts && port < hw::mesh_ports; ++port)
          result.links[index(n)][index(port)] += shown[index(n)].out[index(port)].has_value();
      for (int n = 0; n < nodes; ++n) {
        const auto& arrived = shown[index(n)].out[hw::mesh_local];
        if (arrived && counts) ++flits, waited += now_ - arrived->payload;
        step(n, shown);
      }
    }
    const double counted = cycles - cycles / 5;
    for (auto& ports : result.links)
      for (double& link : ports) link /= counted;
    result.throughput = static_cast<double>(flits) / counted / nodes;
    result.latency = flits ? static_cast<double>(waited) / static_cast<double>(flits) : 0;
    return result;
  }

 private:
  using Router = golden::MeshRouter<P, std::int64_t>;  // carries the cycle of its birth
  using Flit = typename Router::Flit;

  static std::size_t index(int n) { return static_cast<std::size_t>(n); }
  static int neighbour(int node, int port) {
    return node + (port == hw::mesh_east) - (port == hw::mesh_west) +
           P.width * ((port == hw::mesh_south) - (port == hw::mesh_north));
  }
  static bool exists(int node, int port) {
    const int column = node % P.width, row = node / P.width;
    return port == hw::mesh_north   ? row > 0
           : port == hw::mesh_south ? row + 1 < P.height
           : port == hw::mesh_west  ? column > 0
                                    : column + 1 < P.width;
  }

  void step(int n, const std::vector<typename Router::Outputs>& shown) {
    constexpr int facing[] = {hw::mesh_local, hw::mesh_south, hw::mesh_west, hw::mesh_north, hw::mesh_east};
    typename Router::template Ports<Flit> in{};
    typename Router::template Ports<int> credit{};
    for (int port = 1; port < hw::mesh_ports; ++port)
      if (exists(n, port)) {
        const auto& other = shown[index(neighbour(n, port))];
        in[index(port)] = other.out[index(facing[port])];
        credit[index(port)] = other.credit[index(facing[port])];
      }
    if (const auto& back = shown[index(n)].credit[hw::mesh_local]) ++credits_[index(n)][index(*back)];
    in[hw::mesh_local] = source(n);
    // The receiver has freed the slot a cycle later.
    if (const auto& freed = freed_[index(n)]) credit[hw::mesh_local] = freed;
    const auto& arrived = shown[index(n)].out[hw::mesh_local];
    freed_[index(n)] = arrived ? std::optional(arrived->vc) : std::nullopt;
    routers_[index(n)].edge(in, credit);
  }

  // Flits are born whether the queue moves or not; the one in front waits for a credit of its VC.
  std::optional<Flit> source(int n) {
    auto& queue = queues_[index(n)];
    if (std::uniform_real_distribution<>()(draw_) < rate_ && queue.size() < 1000)
      queue.push_back({static_cast<int>(draw_() % P.vcs), true, true, destination(n), now_});
    if (queue.empty() || credits_[index(n)][index(queue.front().vc)] == 0) return {};
    const Flit flit = queue.front();
    queue.pop_front();
    --credits_[index(n)][index(flit.vc)];
    return flit;
  }

  int destination(int n) {
    if (pattern_ == MeshPattern::transpose) return n % P.width * P.width + n / P.width;
    if (pattern_ == MeshPattern::hot_spot && std::uniform_real_distribution<>()(draw_) < hot_share)
      return hot_node;
    return static_cast<int>(draw_() % nodes);
  }

  const MeshPattern pattern_;
  const double rate_;
  std::mt19937_64 draw_{1};
  std::int64_t now_ = 0;
  std::vector<Router> routers_;
  std::array<std::deque<Flit>, nodes> queues_{};
  std::array<std::array<int, P.vcs>, nodes> credits_{};
  std::array<std::optional<int>, nodes> freed_{};
};

}  // namespace verif
