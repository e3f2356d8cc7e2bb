// The rules at the ports of a router of a mesh with any arbitration, kept from the ports alone:
// every flit leaves once, at the port of its packet's route, on its VC, in order and unmixed, and none stays
// inside.
#pragma once
#include <array>
#include <deque>
#include <optional>
#include <string>

#include "cosim/harness/cycle_cosim.h"
#include "hw/noc/mesh_router_params.h"

namespace verif {

template <hw::MeshRouterParams P, class Flit>
class MeshScoreboard {
 public:
  static constexpr int ports = hw::mesh_ports;
  template <class T>
  using Ports = std::array<std::optional<T>, ports>;

  void reset() { *this = {}; }

  void enter(int column, int row, const Ports<Flit>& in) {
    for (int i = 0; i < ports; ++i) {
      if (!in[i]) continue;
      int& route = entering_[i][in[i]->vc];
      if (in[i]->head) route = route_of(in[i]->destination - row * P.width - column, column);
      inside_[i][in[i]->vc].push_back({*in[i], route});
    }
  }

  // Links show what left the crossbar some cycles before: local flits are kept as long.
  std::optional<Difference> leave(Ports<Flit> out) {
    local_.push_back(out[hw::mesh_local]);
    out[hw::mesh_local].reset();
    if (local_.size() > P.link_stages) {
      out[hw::mesh_local] = local_.front();
      local_.pop_front();
    }
    for (int j = 0; j < ports; ++j) {
      if (!out[j]) continue;
      const Flit& flit = *out[j];
      std::optional<int>& from = under_way_[j][flit.vc];
      if (flit.head == from.has_value()) return wrong(j, "a head inside a packet, or none before");
      if (flit.head) from = sender(j, flit);
      if (!from) return wrong(j, "a packet that nobody sent here");
      auto& queue = inside_[*from][flit.vc];
      if (queue.empty() || !same(queue.front().flit, flit)) return wrong(j, "another flit than the next");
      queue.pop_front();
      if (flit.tail) from.reset();
    }
    return {};
  }

  bool empty() const {
    for (const auto& queues : inside_)
      for (const auto& queue : queues)
        if (!queue.empty()) return false;
    return true;
  }

 private:
  struct Inside {
    Flit flit;
    int route;
  };

  // By the distance in nodes and the column it begins in: the row is left last.
  static int route_of(int distance, int column) {
    int rows = 0;
    for (; column + distance >= P.width; distance -= P.width) ++rows;
    for (; column + distance < 0; distance += P.width) --rows;
    if (distance) return distance > 0 ? hw::mesh_east : hw::mesh_west;
    return rows > 0 ? hw::mesh_south : rows < 0 ? hw::mesh_north : hw::mesh_local;
  }

  static bool same(const Flit& a, const Flit& b) {
    return a.vc == b.vc && a.head == b.head && a.tail == b.tail && a.payload == b.payload &&
           (!a.head || a.destination == b.destination);
  }

  std::optional<int> sender(int j, const Flit& flit) const {
    for (int i = 0; i < ports; ++i) {
      const auto& queue = inside_[i][flit.vc];
      if (!queue.empty() && queue.front().route == j && same(queue.front().flit, flit)) return i;
    }
    return {};
  }

  static Difference wrong(int j, const std::string& what) {
    return {fmt::format("out{}: {}", j, what), 1, 0};
  }

  std::deque<std::optional<Flit>> local_{};  // of the last cycles
  std::array<std::array<std::deque<Inside>, P.vcs>, ports> inside_{};
  std::array<std::array<int, P.vcs>, ports> entering_{};                  // route of the packet
  std::array<std::array<std::optional<int>, P.vcs>, ports> under_way_{};  // its input, by output VC
};

}  // namespace verif
