// Legal random traffic for a crossbar with virtual channels, or a network with as many ports: senders that
// hold credits, receivers that return them; how often, and where packets go, changes from phase to phase.
// In some phases packets under way end and none begin.
#pragma once
#include <algorithm>
#include <array>
#include <optional>

#include "cosim/noc/vc_scoreboard.h"

namespace verif {

// `PortScoreboard` count what is inside, and know the longest packet; `number` of a flit says where it goes.
template <hw::CrossbarParams P, class Flit, class PortScoreboard = VcScoreboard<P, Flit>,
          int Flit::*number = &Flit::port>
class VcTraffic {
 public:
  static constexpr int input_vcs = P.inputs * P.vcs;
  using Scoreboard = PortScoreboard;
  using In = typename Scoreboard::template Flits<P.inputs>;
  using Out = typename Scoreboard::template Flits<P.outputs>;
  using InCredit = typename Scoreboard::template Credits<P.inputs>;
  using OutCredit = typename Scoreboard::template Credits<P.outputs>;

  void reset() { packet_ = {}; }

  // Of a new cycle; `out` and `credit` are what the crossbar shows in it, which the quickest neighbours use
  // at once.
  void draw(std::mt19937_64& draw, const Scoreboard& scoreboard, const Out& out, const InCredit& credit,
            In& in, OutCredit& back) {
    if (phase_.next(draw)) new_phase(draw);
    for (int i = 0; i < P.inputs; ++i) in[i] = flit(draw, scoreboard, i, eager_ ? credit[i] : std::nullopt);
    for (int j = 0; j < P.outputs; ++j) {
      if (draw() % 8 < stall_) continue;
      const int from = pick(draw, P.vcs);
      for (int n = 0; n < P.vcs && !back[j]; ++n) {
        const int u = (from + n) % P.vcs;
        const bool now = eager_ && out[j] && out[j]->vc == u;
        if (u != stuck_ && scoreboard.credits(j, u) - now < P.vc_depth) back[j] = u;
      }
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
    idle_ = std::array{1, 1, 2, 8}[draw() % 4];
    stall_ = std::array{0, 0, 2, 4, 7}[draw() % 5];
    longest_ = std::array{1, 2, 3, Scoreboard::longest_packet}[draw() % 4];
    hot_ = draw() % 3 == 0 ? pick(draw, P.outputs) : -1;
    stuck_ = draw() % 4 == 0 ? pick(draw, P.vcs) : -1;
    by_vc_ = draw() % 4 == 0;
    eager_ = draw() % 2 == 0;
    drains_ = draw() % 8 == 0;
    if (drains_) idle_ = 1, stall_ = 0, stuck_ = -1;
  }

  std::optional<Flit> flit(std::mt19937_64& draw, const Scoreboard& scoreboard, int i,
                           std::optional<int> freed) {
    if (!once_in(draw, idle_)) return {};
    const int from = pick(draw, P.vcs);
    for (int n = 0; n < P.vcs; ++n) {
      const int v = (from + n) % P.vcs, k = i * P.vcs + v;
      if (scoreboard.held(k) - (freed == v) >= P.vc_depth) continue;
      Packet& packet = packet_[k];
      if (drains_ && packet.left == 0) continue;
      Flit flit{.vc = v, .head = packet.left == 0, .payload = payload(draw)};
      if (flit.head) packet = {1 + pick(draw, longest_), destination(draw, v)};
      flit.*number = flit.head ? packet.destination : pick(draw, P.outputs);  // counts on heads only
      flit.tail = --packet.left == 0;
      return flit;
    }
    return {};
  }

  int destination(std::mt19937_64& draw, int v) const {
    if (by_vc_) return v % P.outputs;
    if (hot_ >= 0 && draw() % 4) return hot_;
    return pick(draw, P.outputs);
  }

  static auto payload(std::mt19937_64& draw) {
    decltype(Flit::payload) bits;
    const int width = static_cast<int>(bits.size());
    for (int w = 0; w < (width + 63) / 64; ++w)
      bits = bits << std::min(64, width - 1) | decltype(Flit::payload)(draw());
    return bits;
  }

  Phase phase_;
  std::uint64_t idle_ = 1, stall_ = 0;
  int longest_ = 1, hot_ = -1, stuck_ = -1;  // hot: an output that most go to; stuck: a VC without credits
  bool by_vc_ = false, eager_ = false, drains_ = false;
  std::array<Packet, input_vcs> packet_{};
};

}  // namespace verif
