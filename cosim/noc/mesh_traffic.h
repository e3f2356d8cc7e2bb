// Legal random traffic for a router of a mesh: neighbours that hold credits and return them; how often, and
// where packets go, changes from phase to phase, and some phases let the router run empty.
#pragma once
#include <algorithm>
#include <array>
#include <bitset>
#include <optional>
#include <vector>

#include "cosim/harness/cycle_cosim.h"
#include "hw/noc/mesh_router_params.h"

namespace verif {

template <hw::MeshRouterParams P, class Flit>
class MeshTraffic {
 public:
  static constexpr int ports = hw::mesh_ports;
  template <class T>
  using Ports = std::array<std::optional<T>, ports>;

  // The node where the router stands after the reset: each once, then all again in another order.
  void reset(std::mt19937_64& draw) {
    if (nodes_.empty()) {
      for (int n = 0; n < P.width * P.height; ++n) nodes_.push_back(n);
      std::ranges::shuffle(nodes_, draw);
    }
    column_ = nodes_.back() % P.width, row_ = nodes_.back() / P.width;
    nodes_.pop_back();
    packet_ = {}, spent_ = {}, held_ = {};
  }
  int column() const { return column_; }
  int row() const { return row_; }
  // The port has a neighbour.
  bool exists(int n) const {
    return n == hw::mesh_local || (n == hw::mesh_north && row_ > 0) ||
           (n == hw::mesh_south && row_ < P.height - 1) || (n == hw::mesh_west && column_ > 0) ||
           (n == hw::mesh_east && column_ < P.width - 1);
  }
  // Nothing enters, and all credits come back.
  bool empties() const { return empties_; }

  void draw(std::mt19937_64& draw, Ports<Flit>& in, Ports<int>& credit) {
    if (phase_.next(draw)) new_phase(draw);
    for (int i = 0; i < ports; ++i)
      if (exists(i)) in[i] = flit(draw, i);
    for (int j = 0; j < ports; ++j) {
      if (!empties_ && draw() % 8 < stall_) continue;
      const int from = pick(draw, P.vcs);
      for (int n = 0; n < P.vcs && !credit[j]; ++n)
        if (const int v = (from + n) % P.vcs; held_[j][v] > 0 && (empties_ || v != stuck_)) credit[j] = v;
      if (credit[j]) --held_[j][*credit[j]];
    }
  }

  // What the router shows in the cycle that was drawn.
  void see(const Ports<Flit>& out, const Ports<int>& credit) {
    for (int n = 0; n < ports; ++n) {
      if (out[n]) ++held_[n][out[n]->vc];
      if (credit[n]) --spent_[n][*credit[n]];
    }
  }

 private:
  struct Packet {
    int left = 0, destination = 0;
  };

  static int pick(std::mt19937_64& draw, int n) {
    return static_cast<int>(draw() % static_cast<unsigned>(n));
  }

  void new_phase(std::mt19937_64& draw) {
    empties_ = draw() % 6 == 0;
    idle_ = std::array{1, 1, 2, 8}[draw() % 4];
    stall_ = std::array{0, 0, 2, 4, 7}[draw() % 5];
    longest_ = std::array{1, 2, 4}[draw() % 3];
    stuck_ = draw() % 4 == 0 ? pick(draw, P.vcs) : -1;
    hot_ = draw() % 3 == 0 ? pick(draw, P.width * P.height) : -1;
  }

  // Packets under way go on in phases that empty the router, new ones do not begin.
  std::optional<Flit> flit(std::mt19937_64& draw, int i) {
    if (!empties_ && !once_in(draw, idle_)) return {};
    const int from = pick(draw, P.vcs);
    for (int n = 0; n < P.vcs; ++n) {
      const int v = (from + n) % P.vcs;
      Packet& packet = packet_[i][v];
      if (spent_[i][v] >= P.vc_flits || (empties_ && packet.left == 0)) continue;
      Flit flit{.vc = v, .head = packet.left == 0, .payload = payload(draw)};
      if (flit.head) packet = {1 + pick(draw, longest_), destination(draw)};
      flit.destination = flit.head ? packet.destination : pick(draw, P.width * P.height);
      flit.tail = --packet.left == 0;
      ++spent_[i][v];
      return flit;
    }
    return {};
  }

  // Near the router, so that each output is taken; far away; or where most go.
  int destination(std::mt19937_64& draw) const {
    if (hot_ >= 0 && draw() % 4) return hot_;
    if (draw() % 2) return pick(draw, P.width * P.height);
    const int column = std::clamp(column_ + pick(draw, 3) - 1, 0, P.width - 1);
    return std::clamp(row_ + pick(draw, 3) - 1, 0, P.height - 1) * P.width + column;
  }

  static auto payload(std::mt19937_64& draw) {
    decltype(Flit::payload) bits;
    const int width = static_cast<int>(bits.size());
    for (int w = 0; w < (width + 63) / 64; ++w)
      bits = bits << std::min(64, width - 1) | decltype(Flit::payload)(draw());
    return bits;
  }

  Phase phase_;
  std::vector<int> nodes_;  // still to come
  std::uint64_t idle_ = 1, stall_ = 0;
  int column_ = 0, row_ = 0, longest_ = 1, stuck_ = -1, hot_ = -1;  // stuck: a VC without credits
  bool empties_ = false;
  std::array<std::array<Packet, P.vcs>, ports> packet_{};
  std::array<std::array<int, P.vcs>, ports> spent_{}, held_{};  // credits; flits at receivers
};

}  // namespace verif
